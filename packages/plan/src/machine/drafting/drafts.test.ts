// Drafts: written step by step, sealed or abandoned, by planners that can die or be late.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  cancelRequested,
  decideNext,
  draftStarted,
  failed,
  faltered,
  ONCE,
  planned,
  READ,
  sealed,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  USAGE,
  WRITE,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import { evolve } from "../evolve.ts";
import { LIMITS } from "../../values/limits.ts";
import { viewOf } from "../../view/plan-view.ts";
import { stepView } from "../../view/step-view.ts";
import type { KnownPlan } from "../plan-state.ts";

const open = [submitted(), draftStarted()];
const kinds = (plan: KnownPlan) => decideNext(plan).map(({ kind }) => kind);
const statuses = (plan: KnownPlan) =>
  Object.fromEntries(viewOf(plan, 0).steps.map(({ id, status }) => [id, status]));
const interrupted = (draft: number) => abandoned(draft, { cause: "interrupted" });
const modelFailed = (draft: number) => abandoned(draft, { cause: "model_failed" });

describe("a draft", () => {
  it("is requested by the goal, and again by a dispatcher that takes over before it has started", () => {
    const plan = after(submitted());
    expect(decideNext(plan)).toMatchObject([{ kind: "draft", id: "p1/draft/1", work: { draft: 1 } }]);
    expect(decide(plan)).toEqual(decideNext(plan));
    const begun = andAfter(plan, draftStarted());
    expect(decide(begun)).toEqual([]);
  });

  it("opens once, and only if it was requested", () => {
    const plan = after(...open);
    expect(viewOf(plan, 0)).toMatchObject({ strategy: "parallel", strategyReason: "r" });
    expect(evolve(plan, draftStarted())).toBe(plan);
    const asked = after(submitted());
    expect(evolve(asked, draftStarted(2))).toBe(asked);
  });

  it("plans nothing before it is open, and nothing under the number of another draft", () => {
    const asked = after(submitted());
    expect(evolve(asked, planned(step("a")))).toBe(asked);
    const plan = after(...open);
    for (const event of [planned(step("a"), { draft: 2 }), sealed(2), abandoned(2)]) {
      expect(evolve(plan, event)).toBe(plan);
    }
  });

  it("plans a step once, and ignores another one with the same ID", () => {
    const plan = after(...open, planned(step("a")));
    expect(evolve(plan, planned(step("a", [], { tool: "files.write" })))).toBe(plan);
  });

  it("runs only read-only steps with a low risk until it is sealed", () => {
    const plan = after(
      ...open,
      planned(step("read")),
      planned(step("risky"), { grant: { ...READ, risk: "medium" } }),
      planned(step("write"), { grant: WRITE }),
      planned(step("send", ["read"]), { grant: ONCE }),
    );
    expect(statuses(plan)).toEqual({ read: "queued", risky: "waiting", write: "waiting", send: "waiting" });
    expect(stepView(plan, stepOf(plan, "risky")).waitingFor).toBe("draft");
    const readDone = andAfter(plan, succeeded("read"));
    expect(stepView(readDone, stepOf(readDone, "send")).waitingFor).toBe("draft");
    const released = andAfter(readDone, sealed());
    expect(
      decideNext(released).map((command) => (command.kind === "run" ? command.work.stepId : command.kind)),
    ).toEqual(["risky", "write", "send"]);
  });

  it("does not let the plan conclude while it is open, even when every step so far has ended", () => {
    expect(after(...open, planned(step("a")), succeeded("a")).joining.phase).toBe("none");
  });

  it("lets the plan conclude when it is sealed after its last step has ended", () => {
    const plan = after(...open, planned(step("a")), succeeded("a", "42"), sealed(1, { answerFrom: "a" }));
    expect(plan.conclusion).toMatchObject({ outcome: "succeeded", answer: { text: "42" } });
  });

  it("leads directly to the synthesis when it has no steps", () => {
    expect(kinds(after(...open, sealed()))).toEqual(["join"]);
  });

  it("adds its model usage to the plan's, and keeps its reasoning", () => {
    expect(after(...open, sealed(1, { reasoning: "because" }))).toMatchObject({
      usage: USAGE,
      reasoning: "because",
    });
  });

  it("retries a failed step that has no effects", () => {
    const plan = after(...open, planned(step("a")), faltered("a"), timerFired("retry-a-0-2"));
    expect(stepOf(plan, "a").state).toMatchObject({ status: "running", attempt: 2 });
  });
});

describe("an abandoned draft", () => {
  it("cancels the steps that have not started, stops those that run, and keeps those that have ended", () => {
    const plan = after(
      ...open,
      planned(step("done")),
      planned(step("running")),
      planned(step("held"), { grant: WRITE }),
      planned(step("below", ["running"])),
      planned(step("again")),
      succeeded("done"),
      faltered("again"),
      abandoned(),
    );
    expect(statuses(plan)).toEqual({
      done: "succeeded",
      running: "cancelled",
      held: "cancelled",
      below: "cancelled",
      again: "cancelled",
    });
    expect(plan).toMatchObject({ total: 1, done: 1, inFlight: 0 });
    expect(plan.timers.size).toBe(0);
    expect(kinds(plan)).toEqual(["stop", "draft"]);
    expect(stepView(plan, stepOf(plan, "held")).reason).toBe("draft 1 was abandoned");
  });

  it("is followed by a draft that can use its results, and is not delayed by its late ones", () => {
    const plan = after(...open, planned(step("a")), planned(step("b")), succeeded("a"), abandoned());
    for (const event of [
      planned(step("c")),
      sealed(),
      abandoned(),
      draftStarted(),
      succeeded("b"),
      failed("b"),
    ]) {
      expect(evolve(plan, event)).toBe(plan);
    }
    const next = andAfter(plan, draftStarted(2), planned(step("c", ["a"]), { draft: 2 }));
    expect(statuses(next)).toEqual({ a: "succeeded", b: "cancelled", c: "queued" });
  });

  it("does not release the steps that it held when the next draft is sealed", () => {
    const plan = after(
      ...open,
      planned(step("a"), { grant: WRITE }),
      abandoned(),
      draftStarted(2),
      planned(step("b"), { draft: 2, grant: WRITE }),
      sealed(2),
    );
    expect(statuses(plan)).toEqual({ a: "cancelled", b: "queued" });
  });

  it("leaves no gap in the answer of the next draft", () => {
    const plan = after(
      ...open,
      planned(step("a")),
      failed("a"),
      abandoned(),
      draftStarted(2),
      planned(step("b"), { draft: 2 }),
      sealed(2, { answerFrom: "b" }),
      succeeded("b", "42"),
    );
    expect(plan.conclusion?.answer).toMatchObject({ text: "42", status: "success" });
  });

  it("is repaired once with its issues, and then the plan fails", () => {
    const issues = [{ code: "unknown_tool", stepId: "a", field: "tool", message: "there is no tool x" }];
    const repaired = after(...open, abandoned(1, { issues }));
    expect(viewOf(repaired, 0).draft).toEqual({ number: 2, phase: "requested", issues });
    expect(decideNext(repaired)).toMatchObject([{ kind: "draft", id: "p1/draft/2" }]);
    const message = "the goal could not be planned: no such tool";
    expect(andAfter(repaired, draftStarted(2), abandoned(2)).conclusion).toMatchObject({
      outcome: "failed",
      reason: message,
      answer: { text: message, status: "failed" },
    });
  });

  it("passes its issues on to the next draft, even when that one is interrupted", () => {
    const issues = [{ code: "unknown_tool", field: "tool", message: "there is no tool x" }];
    expect(after(...open, abandoned(1, { issues }), interrupted(2)).drafting.issues).toEqual(issues);
    expect(after(...open, abandoned(1, { issues }), draftStarted(2), sealed(2)).drafting.issues).toEqual([]);
  });

  it("can be abandoned before it has started", () => {
    expect(after(submitted(), interrupted(1)).drafting).toMatchObject({ number: 2, phase: "requested" });
  });

  it("fails the plan immediately when another draft would not help", () => {
    const plan = after(...open, planned(step("a")), abandoned(1, { retryable: false, message: "no key" }));
    expect(plan.conclusion).toMatchObject({
      outcome: "failed",
      reason: "the goal could not be planned: no key",
    });
    expect(kinds(plan)).toEqual(["stop", "record"]);
  });

  it("is written again after each interruption, up to the limit of interruptions", () => {
    let plan = after(submitted());
    for (let draft = 1; draft <= LIMITS.draftsInterruptedMax; draft++) {
      plan = andAfter(plan, draftStarted(draft), interrupted(draft));
      expect(plan.conclusion).toBeUndefined();
    }
    expect(andAfter(plan, interrupted(LIMITS.draftsInterruptedMax + 1)).conclusion?.outcome).toBe("failed");
  });

  it("can be repaired after an interruption, and interrupted after a repair", () => {
    const plan = after(submitted(), interrupted(1), abandoned(2), interrupted(3));
    expect(plan.drafting).toMatchObject({ number: 4, phase: "requested", repairs: 1, interruptions: 2 });
  });
});

describe("a draft whose model failed", () => {
  const delayed = after(...open, modelFailed(1));

  it("is requested again when its timer fires, after a longer delay each time", () => {
    const first = decideNext(delayed);
    expect(first).toMatchObject([
      { kind: "schedule", timer: "draft-2", event: { type: "timer.fired", data: { timer: "draft-2" } } },
    ]);
    expect(delayed.drafting.phase).toBe("delayed");
    const second = andAfter(delayed, timerFired("draft-2"));
    expect(decideNext(second)).toMatchObject([{ kind: "draft", id: "p1/draft/2" }]);
    const third = andAfter(second, draftStarted(2), modelFailed(2));
    const waits = [delayed, third].map(
      (plan) => Date.parse(plan.timers.first()?.at ?? "") - Date.parse(plan.updatedAt),
    );
    expect(waits[0]).toBeGreaterThanOrEqual(1_000);
    expect(waits[1]).toBeGreaterThanOrEqual(2_000);
  });

  it("can neither start nor be abandoned before its timer fires", () => {
    for (const event of [draftStarted(2), abandoned(2), sealed(2), timerFired("draft-1")]) {
      expect(evolve(delayed, event)).toBe(delayed);
    }
  });

  it("has its timer scheduled again by a dispatcher that takes over", () => {
    expect(decide(delayed)).toEqual(decideNext(delayed));
  });

  it("is no longer requested once the plan is cancelled", () => {
    const plan = andAfter(delayed, cancelRequested());
    expect(evolve(plan, timerFired("draft-2"))).toBe(plan);
  });
});
