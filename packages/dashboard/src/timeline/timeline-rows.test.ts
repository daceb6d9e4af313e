// Rows of real plans: the events are folded by the plan's own rules, and by the timeline's.
import { BARE_GOAL } from "@planwright/plan/testing";
import { evolve, noPlan, type Plan, PlanEvent, type PlanView, viewOf } from "@planwright/plan";
import { timelineOf } from "@planwright/plan/timeline";
import { describe, expect, it } from "vitest";
import { inWords, nameOfSegment } from "./timeline-words.ts";
import { sumsOf } from "@planwright/plan/timeline";
import { ITEMS_SHOWN_MAX, timelineRows } from "./timeline-rows.ts";

const AT = Date.parse("2026-01-01T00:00:00Z");
const clock = (ms: number): string => new Date(AT + ms).toISOString();
const READ = { pool: "default", risk: "low", effect: "read", timeoutMs: 1_000 };
const trace = { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false };

function fact(type: string, ms: number, data: object): PlanEvent {
  return PlanEvent.parse({ id: `${type}-${ms}`, type, planId: "p1", at: clock(ms), data });
}

function goal(steps: readonly object[]): PlanEvent {
  const about = {
    ...BARE_GOAL,
    tenant: "local",
    maxReplans: 0,
  };
  return fact("goal.submitted", 0, {
    goal: "g",
    ...about,
    trace,
    grants: { "flow.echo": READ },
    plan: { steps },
  });
}

const step = (id: string, dependsOn: string[] = [], more: object = {}) => ({
  id,
  tool: "flow.echo",
  dependsOn,
  ...more,
});

function done(stepId: string, fromMs: number, toMs: number, item = 0): PlanEvent {
  const run = {
    stepId,
    item,
    attempt: 1,
    workerId: "w",
    startedAt: clock(fromMs),
    durationMs: toMs - fromMs,
  };
  return fact("step.succeeded", toMs, { ...run, output: { value: 1 } });
}

function both(...events: readonly PlanEvent[]) {
  const plan = events.reduce<Plan>(evolve, noPlan);
  const timeline = timelineOf(events);
  if (plan.status === "absent" || timeline === undefined) throw new Error("there is no plan");
  const view: PlanView = viewOf(plan, AT);
  return { timeline, view };
}

describe("the rows of a timeline", () => {
  it("are the plan's steps in its order, with the critical path and the others' slack", () => {
    const { timeline, view } = both(
      goal([step("a"), step("b"), step("z", ["a", "b"])]),
      done("a", 0, 20),
      done("b", 0, 90),
      done("z", 90, 100),
    );
    const rows = timelineRows(timeline, view, new Set());
    expect(rows.map(({ name, status, isCritical, slackMs }) => [name, status, isCritical, slackMs])).toEqual([
      ["a", "succeeded", false, 70],
      ["b", "succeeded", true, undefined],
      ["z", "succeeded", true, undefined],
    ]);
  });

  it("show the items of an opened step, up to a maximum", () => {
    const count = ITEMS_SHOWN_MAX + 5;
    const items = Array.from({ length: count }, (_, index) => index);
    const each = step("each", [], { forEach: items, args: { value: "{{item}}" } });
    const { timeline, view } = both(
      goal([each]),
      fact("step.expanded", 1, { stepId: "each", items: count }),
      done("each", 2, 5, 1),
    );
    expect(timelineRows(timeline, view, new Set()).map(({ items: shown }) => shown)).toEqual([
      { count, isOpen: false },
    ]);
    const rows = timelineRows(timeline, view, new Set(["each"]));
    expect(rows).toHaveLength(1 + ITEMS_SHOWN_MAX);
    expect(rows.slice(1, 3).map(({ name, status, stepId }) => [name, status, stepId])).toEqual([
      ["each [0]", "queued", "each"],
      ["each [1]", "succeeded", "each"],
    ]);
  });

  it("show from the bar alone which steps are running and which need approval", () => {
    const { timeline, view } = both(
      goal([step("a"), step("b", [], { tool: "human.ask", args: { question: "?" } })]),
      fact("step.started", 3, { stepId: "a", item: 0, attempt: 1, workerId: "w" }),
    );
    const bare = { ...view, steps: [] };
    expect(timelineRows(timeline, bare, new Set()).map(({ status }) => status)).toEqual([
      "running",
      "awaiting-approval",
    ]);
  });
});

describe("the text of a bar", () => {
  it("names each part with its length, and the wait by its reason", () => {
    const { timeline } = both(goal([step("a"), step("b", ["a"])]), done("a", 10, 250));
    const [first, second] = timeline.steps;
    expect(inWords(sumsOf(first ?? { segments: [] }, 0))).toBe("in the queue 10 ms, tool 240 ms");
    expect(second?.segments.map(nameOfSegment)).toEqual(["waiting for other steps", "in the queue"]);
    expect(inWords(sumsOf({ segments: [] }, 0))).toBe("no time yet");
    expect(nameOfSegment({ kind: "tool", attempt: 2, startMs: 0 })).toBe("tool, attempt 2");
  });
});
