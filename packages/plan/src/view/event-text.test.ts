import { describe, expect, it } from "vitest";
import { eventText } from "./event-text.ts";

const STEP = { stepId: "s1", attempt: 1 };
const REVIEW = { ...STEP, verdict: "rejected", issues: ["no price", "too long"] };
const CALL = { stepId: "s1", turn: 2, call: 3, tool: "http.send", thought: "so" };
const TRIES = { message: "no answer", calls: 2, callsMax: 8 };

describe("the text of an event", () => {
  it.each<[type: string, data: object, text: string]>([
    ["goal.submitted", { goal: "sell more" }, "sell more"],
    ["cancel.requested", { by: "ann", reason: "too late" }, "ann: too late"],
    ["pause.requested", { by: "ann", reason: "wait" }, "ann: wait"],
    ["resume.requested", { by: "ann" }, "ann"],
    ["delete.requested", { by: "ann" }, "ann"],
    [
      "draft.started",
      { draft: 1, strategy: "parallel", strategyReason: "default" },
      "draft 1, parallel: default",
    ],
    ["step.planned", { step: { id: "s1", tool: "flow.echo", description: "Say it" } }, "s1: Say it"],
    ["step.planned", { step: { id: "s1", tool: "flow.echo", description: "" } }, "s1: flow.echo"],
    ["plan.sealed", { steps: 1_200 }, "1,200 steps"],
    ["plan.revised", { revision: 2, reason: "no prices" }, "revision 2: no prices"],
    ["draft.abandoned", { cause: "model_failed", message: "no answer" }, "model_failed: no answer"],
    ["join.abandoned", { message: "no answer" }, "no answer"],
    ["model.failed", { work: { stepId: "s1" }, tries: TRIES }, "s1: no answer, attempt 2 of 8"],
    ["model.failed", { work: {}, tries: { ...TRIES, silent: true } }, "no answer, attempt 3 of 8"],
    ["model.failed", { work: {}, tries: { ...TRIES, loading: true } }, "no answer"],
    ["step.started", { ...STEP, workerId: "w1" }, "s1 on w1"],
    ["step.started", { ...STEP, attempt: 2, workerId: "w1", undo: true }, "compensating s1 on w1, attempt 2"],
    ["step.succeeded", { ...STEP, durationMs: 12 }, "s1 in 12 ms"],
    ["step.failed", { ...STEP, error: { message: "boom" } }, "s1: boom"],
    ["step.expanded", { stepId: "s1", items: 1 }, "s1: 1 item"],
    ["step.interrupted", { ...STEP, attempt: 3, message: "stopped" }, "s1, attempt 3: stopped"],
    ["approval.requested", { question: "May it?" }, "May it?"],
    ["approval.decided", { by: "ann", decision: "approve" }, "ann: approve"],
    ["approval.decided", { by: "ann", decision: "reject", reason: "no" }, "ann: reject, no"],
    ["step.skipped", { stepIds: ["s1", "s2"], reason: "condition" }, "s1, s2: condition"],
    ["step.asked", { stepId: "s1", call: CALL }, "s1, turn 2, call 3: may it call http.send?"],
    [
      "step.asked",
      { stepId: "s1", call: { ...CALL, call: undefined, doubt: "It died." } },
      "s1, turn 2: has http.send taken effect? It died.",
    ],
    [
      "turn.started",
      { stepId: "s1", turn: 2, calls: [{ tool: "a.b" }, { tool: null }] },
      "s1, turn 2: a.b, no tool",
    ],
    ["call.started", CALL, "s1, turn 2, call 3: http.send"],
    ["turn.taken", CALL, "s1, turn 2, call 3: http.send"],
    ["turn.taken", { ...CALL, tool: null }, "s1, turn 2, call 3: so"],
    ["turn.taken", { ...CALL, error: { message: "boom" } }, "s1, turn 2, call 3: boom"],
    [
      "fact.recorded",
      {
        facts: [
          { key: "a", value: 1 },
          { key: "b", value: "x" },
        ],
      },
      "a: 1; b: x",
    ],
    ["fact.recorded", { facts: [], fault: "unreadable" }, "unreadable"],
    ["answer.given", { answer: { text: "42" } }, "42"],
    ["answer.drafted", { answer: { text: "41" } }, "41"],
    ["revision.requested", { reason: "no prices" }, "no prices"],
    ["log.damaged", { reason: "an event is missing" }, "an event is missing"],
    [
      "nodes.valued",
      {
        values: [
          { stepId: "s1", value: 0.5 },
          { stepId: "s2", value: 1 },
        ],
      },
      "s1 0.5, s2 1",
    ],
    ["step.reviewed", { ...REVIEW, score: 0.4 }, "s1 rejected with 40%: no price; too long"],
    ["step.reviewed", { ...REVIEW, attempt: 2, message: "because" }, "s1, attempt 2 rejected: because"],
    ["plan.reviewed", { draft: 0, verdict: "accepted", issues: [] }, "draft 0 accepted"],
    [
      "answer.reviewed",
      { draft: 1, verdict: "accepted", score: 1, issues: [] },
      "draft 1 accepted with 100%",
    ],
    ["feedback.given", { by: "ann", rating: 2 }, "ann: 2 of 5"],
    ["feedback.given", { by: "ann", rating: 5, comment: "nice" }, "ann: 5 of 5, nice"],
    ["plan.ended", { outcome: "failed", reason: "boom" }, "failed: boom"],
    ["redrive.requested", { by: "ann", stepId: "s1", attempt: 1 }, "ann: s1, attempt 2"],
    ["timer.fired", { timer: "retry-s1-0-2" }, "a retry is due (retry-s1-0-2)"],
    ["timer.fired", { timer: "another" }, "another"],
    ["plan.archived", {}, ""],
    ["plan.deleted", {}, ""],
    ["from.tomorrow", {}, ""],
  ])("contains the essentials of %s, without its type: %j", (type, data, text) => {
    expect(eventText({ type, data } as never)).toBe(text);
  });
});
