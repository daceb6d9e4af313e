// How readers check the writer, for every type of event on its own subject and on all others.
import { type PlanEvent, PlanEvent as Schema, PlanId } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { isStray, type Place, refusalOf } from "./check-writer.ts";
import { decisionSubject, factSubject, timerSubject } from "./subjects.ts";

const at = "2026-01-01T00:00:00Z";
const planId = PlanId.parse("p1");
const NO_USAGE = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };
const GRANT = { pool: "default", risk: "low", effect: "read", timeoutMs: 1 };
const run = { stepId: "a", item: 0, attempt: 1 };
const event = (type: PlanEvent["type"], data: object, id = "e"): PlanEvent =>
  Schema.parse({ id, type, planId, at, data });

const ended = { ...run, workerId: "w", startedAt: at, durationMs: 1 };
const EVENTS = {
  result: event("step.succeeded", { ...ended, pool: "default", output: { value: 1 } }),
  otherPool: event("step.succeeded", { ...ended, pool: "gpu", output: { value: 1 } }),
  otherStep: event("step.succeeded", { ...ended, stepId: "b", pool: "default", output: { value: 1 } }),
  ownersResult: event("step.succeeded", { ...ended, output: { value: 1 } }),
  turn: event("turn.taken", { ...run, pool: "default", turn: 1, thought: "t" }),
  approval: event("approval.decided", { approvalId: "risk-a-0", decision: "approve", by: "ann" }),
  cancel: event("cancel.requested", { reason: "r", by: "ann" }),
  draft: event("draft.started", {
    draft: 1,
    strategy: "auto",
    strategyReason: "r",
    workerId: "w",
    seen: 1,
    tools: [],
  }),
  answer: event("answer.given", {
    join: 1,
    answer: { text: "t", status: "success", sources: [], artifacts: [] },
  }),
  review: event("step.reviewed", {
    ...run,
    review: 1,
    verdict: "accepted",
    usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 },
  }),
  skipped: event("step.skipped", { stepIds: ["b"], because: "a", reason: "r" }),
  timer: event("timer.fired", { timer: "retry-a-0-2" }),
} as const;

const none = undefined;
const scheduledBy = (subject: string) => ({
  get: (name: string) => (name === "Nats-Scheduler" ? subject : ""),
});

describe("an event", () => {
  it.each(Object.entries(EVENTS))("is accepted on its own subject: %s", (_name, one) => {
    expect(refusalOf(one, factSubject(one), none)).toBeUndefined();
  });

  it("is rejected on the subject of every other event", () => {
    const believed = Object.entries(EVENTS).flatMap(([name, one]) =>
      Object.entries(EVENTS)
        .filter(([other, its]) => other !== name && refusalOf(one, factSubject(its), none) === undefined)
        .map(([other]) => `${name} on the subject of ${other}`),
    );
    expect(believed).toEqual([]);
  });

  it("is rejected on the subject of another plan, even in the same partition", () => {
    const subject = factSubject(EVENTS.result);
    const other: PlanEvent = { ...EVENTS.result, planId: PlanId.parse("p2") };
    expect(refusalOf(other, subject, none)).toBeDefined();
    expect(refusalOf(EVENTS.result, subject.replace("plan.", "plan.1"), none)).toBeDefined();
  });

  it("is accepted on a decision subject only if plan owners write its type", () => {
    const failed = event("step.failed", { ...ended, error: { code: "c", message: "m" }, retryable: false });
    for (const one of [failed, EVENTS.answer, EVENTS.skipped]) {
      expect(refusalOf(one, decisionSubject(one), none)).toBeUndefined();
    }
    for (const one of [EVENTS.approval, EVENTS.cancel, EVENTS.timer, EVENTS.ownersResult]) {
      expect(refusalOf(one, decisionSubject(one), none)).toBeDefined();
    }
    expect(refusalOf(failed, decisionSubject(EVENTS.skipped), none)).toBeDefined();
  });
});

describe("an event in a batch", () => {
  const planned = (draft: number) =>
    event("step.planned", { draft, index: 0, step: { id: "a", tool: "t" }, grant: GRANT });
  const sealed = event("plan.sealed", { draft: 1, steps: 1, usage: NO_USAGE });
  const ofB = event("step.failed", {
    ...ended,
    stepId: "b",
    pool: "default",
    error: { code: "c", message: "m" },
    retryable: false,
  });
  const start = event("step.started", { ...run, pool: "default", workerId: "w" });
  const end = event("plan.ended", { outcome: "failed", reason: "r" });
  const isBelieved = (one: PlanEvent, subject: string, place: Place) =>
    refusalOf(one, subject, none, place) === undefined;

  it("is accepted last on its own subject and before another of the same writer and kind", () => {
    for (const [first, last] of [
      [planned(1), sealed],
      [EVENTS.result, ofB],
      [ofB, EVENTS.result],
    ] as const) {
      expect(isBelieved(first, factSubject(last), "batched")).toBe(true);
      expect(isBelieved(last, factSubject(last), "last")).toBe(true);
    }
    expect(isBelieved(EVENTS.skipped, decisionSubject(EVENTS.answer), "batched")).toBe(true);
    expect(isBelieved(end, decisionSubject(end), "last")).toBe(true);
  });

  it.each<readonly [string, PlanEvent, string]>([
    ["the result of another pool", EVENTS.otherPool, factSubject(EVENTS.result)],
    ["a step of another draft", planned(2), factSubject(sealed)],
    ["what workers say, among decisions", EVENTS.result, decisionSubject(end)],
    ["a decision, among what workers say", EVENTS.skipped, factSubject(EVENTS.result)],
    ["a cancellation, among decisions", EVENTS.cancel, decisionSubject(end)],
    ["an approval, among requests of users", EVENTS.approval, factSubject(EVENTS.cancel)],
    ["a turn, among outcomes", EVENTS.turn, factSubject(EVENTS.result)],
    ["a start, among outcomes", start, factSubject(EVENTS.result)],
    ["the end of a draft before its steps", sealed, factSubject(planned(1))],
    ["the end of a plan before its answer", end, decisionSubject(EVENTS.answer)],
    [
      "a step of a draft, where a review of it is",
      planned(1),
      factSubject(planned(1)).replace("step.0", "reviewed.1"),
    ],
  ])("is rejected: %s", (_name, one, subject) => {
    expect(isBelieved(one, subject, "batched")).toBe(false);
  });

  it("is rejected if its type never belongs to a batch, even in last position", () => {
    for (const one of [start, EVENTS.cancel, EVENTS.approval, EVENTS.turn, EVENTS.review, EVENTS.timer]) {
      expect(isBelieved(one, factSubject(one), "alone")).toBe(true);
      expect(isBelieved(one, factSubject(one), "last")).toBe(false);
    }
  });

  it("is rejected if it belongs to another plan", () => {
    const other: PlanEvent = { ...EVENTS.result, planId: PlanId.parse("p2") };
    expect(isBelieved(other, factSubject(ofB), "batched")).toBe(false);
  });
});

describe("the scheduler", () => {
  const timerOf = (timer: string) => scheduledBy(timerSubject(planId, timer));

  it("is accepted for the timer that was scheduled", () => {
    expect(refusalOf(EVENTS.timer, factSubject(EVENTS.timer), timerOf("retry-a-0-2"))).toBeUndefined();
  });

  it("is rejected for any other event, even on the right subject", () => {
    const others = Object.values(EVENTS).filter(({ type }) => type !== "timer.fired");
    for (const one of others) {
      expect(refusalOf(one, factSubject(one), timerOf("x")), one.type).toBe(
        "the scheduler may write only timers",
      );
    }
  });

  it("is rejected for a timer that another message has scheduled", () => {
    const subject = factSubject(EVENTS.timer);
    expect(refusalOf(EVENTS.timer, subject, timerOf("another"))).toBeDefined();
    expect(refusalOf(EVENTS.timer, subject, scheduledBy(factSubject(EVENTS.result)))).toBeDefined();
  });

  it("leaves strays on all subjects that are not for timers", () => {
    const by = timerOf("x");
    expect(isStray(factSubject(EVENTS.approval), by)).toBe(true);
    expect(isStray(factSubject(EVENTS.timer), by)).toBe(false);
    expect(isStray(factSubject(EVENTS.approval), none)).toBe(false);
  });
});
