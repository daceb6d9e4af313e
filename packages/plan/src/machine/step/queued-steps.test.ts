import { expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  AT,
  faltered,
  fact,
  pauseRequested,
  planEnded,
  recorded,
  started,
  step,
  submitted,
  succeeded,
} from "../../../test/facts.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { viewOf } from "../../view/plan-view.ts";
import type { KnownPlan } from "../plan-state.ts";
import { timeLeftMs } from "../../view/time-left.ts";
import { whyPlanWaits, whyWaiting } from "../../view/why-waiting/index.ts";

const AT_MS = Date.parse(AT);
const statusesOf = (plan: KnownPlan) => viewOf(plan, AT_MS).steps.map(({ status }) => status);
const retried = (stepId: string): PlanEvent =>
  fact("timer.fired", { timer: `retry-${stepId}-0-2`, dueAt: AT });

it("is queued from when it is sent until a worker starts it, and again before a retry", () => {
  const sent = after(submitted([step("a"), step("b", ["a"])]));
  expect(statusesOf(sent)).toEqual(["queued", "waiting"]);
  const running = andAfter(sent, started("a"));
  expect(statusesOf(running)).toEqual(["running", "waiting"]);
  const retrying = andAfter(running, faltered("a"));
  expect(viewOf(retrying, AT_MS).steps[0]).toMatchObject({ status: "waiting", waitingFor: "retry" });
  expect(statusesOf(andAfter(retrying, retried("a")))).toEqual(["queued", "waiting"]);
});

it("goes from queued to its outcome when it is read-only and quick", () => {
  const sent = after(submitted([step("a"), step("b")]));
  expect(statusesOf(andAfter(sent, succeeded("a")))).toEqual(["succeeded", "queued"]);
});

it("is running as a whole once one of its items has started", () => {
  const each = step("each", [], { forEach: [1, 2] });
  const sent = recorded(after(submitted([each])));
  const seen = (plan: KnownPlan) => {
    const [first] = viewOf(plan, AT_MS).steps;
    return [first?.status, ...(first?.items ?? []).map(({ status }) => status)];
  };
  expect(seen(sent)).toEqual(["queued", "queued", "queued"]);
  expect(seen(andAfter(sent, started("each", 1, { item: 1 })))).toEqual(["running", "queued", "running"]);
  expect(seen(andAfter(sent, succeeded("each", 1, 1, { item: 1 })))).toEqual([
    "running",
    "queued",
    "succeeded",
  ]);
});

it("waits for its plan to resume, not for a worker, when it cannot start in a paused plan", () => {
  const plan = after(submitted([step("a", [], { tool: "files.write" }), step("b")]), pauseRequested());
  const view = viewOf(plan, AT_MS);
  const said = view.steps.map((one) => `${one.status}: ${whyWaiting(view, one)}`);
  expect(said).toEqual([
    expect.stringMatching(/^queued: paused by/),
    "queued: waits for a free worker in pool default",
  ]);
  expect(whyPlanWaits(view)).toContain("step b waits for a free worker in pool default");
});

it("counts an estimate down from the time of its view, and drops one that has clearly run out", () => {
  const view = { progress: { done: 1, total: 2, percent: 50, etaMs: 10_000 }, viewedAt: AT };
  expect(timeLeftMs(view, AT_MS - 60_000)).toBe(10_000);
  expect(timeLeftMs(view, AT_MS + 4_000)).toBe(6_000);
  expect(timeLeftMs(view, AT_MS + 12_000)).toBe(0);
  expect(timeLeftMs(view, AT_MS + 15_001)).toBeNull();
  expect(timeLeftMs({ ...view, endedAt: AT }, AT_MS)).toBeNull();
  expect(timeLeftMs({ progress: { ...view.progress, etaMs: null }, viewedAt: AT }, AT_MS)).toBeNull();
});

it("says when an open plan's view was made, and omits that once the plan has ended", () => {
  const open = after(submitted([step("a")]));
  expect(viewOf(open, AT_MS + 1_500).viewedAt).toBe("2026-01-01T00:00:01.500Z");
  const ended = andAfter(open, succeeded("a"), answerGiven(undefined), planEnded());
  expect(viewOf(ended, AT_MS)).not.toHaveProperty("viewedAt");
});
