// The view changed by a fact at once must say what the gateway's own fold says a moment later.
import { evolve, type KnownPlan, noPlan, type Plan, PlanEvent, viewOf } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import type { NumberedEvent } from "../api/api-types.ts";
import { applyEvent } from "./apply-event.ts";

const AT = "2026-01-01T00:00:00Z";
const GRANT = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };
const USAGE = { modelCalls: 1, inputTokens: 1, outputTokens: 1, costUsd: 0 };
const RUN = { item: 0, attempt: 1, workerId: "w1", startedAt: AT, durationMs: 5 };

const event = (type: PlanEvent["type"], data: object) =>
  PlanEvent.parse({ id: `${type}/${JSON.stringify(data)}`, type, planId: "p1", at: AT, data });

const submitted = event("goal.submitted", {
  goal: "compare",
  tenant: "default",
  strategy: "auto",
  constraints: [],
  maxReplans: 0,
  metadata: {},
  bodyHash: "0",
  trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: true },
});
const started = event("draft.started", {
  draft: 1,
  strategy: "parallel",
  strategyReason: "",
  workerId: "w1",
});
const planned = (index: number, id: string, dependsOn: string[] = []) =>
  event("step.planned", { draft: 1, index, step: { id, tool: "flow.echo", dependsOn }, grant: GRANT });
const sealed = event("plan.sealed", { draft: 1, steps: 3, usage: USAGE });
const runs = (stepId: string) => event("step.started", { stepId, item: 0, attempt: 1, workerId: "w1" });
const succeeded = (stepId: string) =>
  event("step.succeeded", { ...RUN, stepId, output: { value: stepId }, artifacts: [] });
const failed = (stepId: string, retryable: boolean) =>
  event("step.failed", { ...RUN, stepId, error: { code: "broken", message: "broken" }, retryable });
const skipped = event("step.skipped", { stepIds: ["c"], because: "b", reason: "b failed" });
const answered = event("answer.given", {
  join: 1,
  answer: { text: "A", status: "partial", sources: ["a"], artifacts: [] },
});
const ended = event("plan.ended", { outcome: "succeeded", reason: "answered" });

const PLAN = [submitted, started, planned(0, "a"), planned(1, "b"), planned(2, "c", ["a", "b"]), sealed];

function fold(events: readonly PlanEvent[]): KnownPlan {
  const plan = events.reduce<Plan>(evolve, noPlan);
  if (plan.status === "absent") throw new Error("nothing was submitted");
  return plan;
}

function numbered(events: readonly PlanEvent[]): NumberedEvent[] {
  return events.map((entry, index) => ({ seq: index + 1, event: entry }));
}

/** What facts settle. Which open step runs is the dispatcher's affair, and comes with the next view. */
const essence = (view: ReturnType<typeof viewOf>) => ({
  seq: view.seq,
  steps: view.steps.map(({ id, status, attempt, output, error, reason }) =>
    status === "waiting" || status === "running"
      ? { id, open: true }
      : { id, status, attempt, output, error, reason },
  ),
  done: view.progress.done,
  total: view.progress.total,
  answer: view.answer,
  outcome: view.outcome,
  endedAt: view.endedAt,
});

describe("a view changed by facts", () => {
  it.each([
    { name: "a plan that succeeds", events: [runs("a"), succeeded("a"), succeeded("b"), succeeded("c")] },
    { name: "a step that fails", events: [succeeded("a"), runs("b"), failed("b", false), skipped] },
    { name: "the end", events: [succeeded("a"), failed("b", false), skipped, answered, ended] },
  ])("agrees with the gateway's fold after $name", ({ events }) => {
    const all = [...PLAN, ...events];
    for (let length = PLAN.length; length <= all.length; length += 1) {
      const early = viewOf(fold(all.slice(0, 1)), 0);
      const live = numbered(all.slice(0, length)).reduce(applyEvent, early);
      expect(essence(live)).toEqual(essence(viewOf(fold(all.slice(0, length)), 0)));
    }
  });

  it("is the same object after a fact that it has already taken in", () => {
    const view = viewOf(fold([...PLAN, runs("a")]), 0);
    expect(applyEvent(view, { seq: view.seq, event: runs("a") })).toBe(view);
  });

  it("keeps the outcome of a settled step", () => {
    const view = viewOf(fold([...PLAN, succeeded("a")]), 0);
    const late = applyEvent(view, { seq: view.seq + 1, event: runs("a") });
    expect(late.steps.find((step) => step.id === "a")?.status).toBe("succeeded");
  });

  it("shows a failed attempt that is tried again as waiting", () => {
    const view = viewOf(fold([...PLAN, runs("a")]), 0);
    const retried = applyEvent(view, { seq: view.seq + 1, event: failed("a", true) });
    expect(retried.steps[0]).toMatchObject({ status: "waiting", waitingFor: "retry" });
  });
});
