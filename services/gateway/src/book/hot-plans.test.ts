import { BARE_GOAL } from "@planwright/plan/testing";
import { PlanEvent, PlanId } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { createHotPlans, factsFrom } from "./hot-plans.ts";

const AT = "2026-01-01T00:00:00.000Z";
const id = (planId: string) => PlanId.parse(planId);

function fact(planId: string, type: PlanEvent["type"], data: object): PlanEvent {
  return PlanEvent.parse({ id: `${planId}/${type}`, type, planId, at: AT, data });
}

function submitted(planId: string, stepIds: readonly string[] = ["a"]): PlanEvent {
  const steps = stepIds.map((stepId) => ({ id: stepId, tool: "flow.echo", args: { value: 1 } }));
  return fact(planId, "goal.submitted", {
    ...BARE_GOAL,
    goal: "g",
    tenant: "t",
    plan: { steps },
  });
}

const started = (planId: string, stepId: string) =>
  fact(planId, "step.started", { stepId, item: 0, attempt: 1, workerId: "w" });
const ended = (planId: string) => fact(planId, "plan.ended", { outcome: "cancelled", reason: "x" });

describe("the plan cache", () => {
  it("numbers the events that a plan counts, and skips the others", () => {
    const hot = createHotPlans();
    hot.apply(submitted("p"), 10);
    expect(hot.apply(submitted("p"), 11)).toBeUndefined();
    expect(hot.apply(started("p", "none"), 12)).toBeUndefined();
    const plan = hot.apply(started("p", "a"), 13);
    expect(plan?.history.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, "goal.submitted"],
      [2, "step.started"],
    ]);
    expect(plan?.firstSequence).toBe(10);
  });

  it("never starts in the middle of a plan (CACHE-1)", () => {
    const hot = createHotPlans();
    expect(hot.apply(started("p", "a"), 5)).toBeUndefined();
    expect(hot.get(id("p"))).toBeUndefined();
  });

  it("keeps every open plan, and the most recently requested finished ones (CACHE-3)", () => {
    const hot = createHotPlans();
    hot.apply(submitted("open"), 1);
    hot.apply(submitted("first"), 2);
    hot.apply(ended("first"), 3);
    // Far more events in total than are kept for ended plans.
    for (let index = 0; index < 12_000; index++) {
      hot.apply(submitted(`p${index}`), index);
      hot.apply(ended(`p${index}`), index);
      hot.get(id("first"));
    }
    expect(hot.get(id("open"))).toBeDefined();
    expect(hot.get(id("first"))).toBeDefined();
    expect(hot.get(id("p0"))).toBeUndefined();
    expect(hot.get(id("p11999"))).toBeDefined();
    expect(hot.openCount).toBe(1);
  });

  it("drops the beginning of a long history, and reports that it is gone (CACHE-2)", () => {
    const hot = createHotPlans();
    const stepIds = Array.from({ length: 5_000 }, (_, index) => `s${index}`);
    hot.apply(submitted("p", stepIds), 1);
    // Only this many run simultaneously, so only these count as started.
    for (const stepId of stepIds) hot.apply(started("p", stepId), 2);
    for (const stepId of stepIds) {
      const data = {
        stepId,
        item: 0,
        attempt: 1,
        workerId: "w",
        startedAt: AT,
        durationMs: 1,
        output: { value: 1 },
      };
      hot.apply(fact("p", "step.succeeded", data), 3);
    }
    const plan = hot.get(id("p"));
    const last = plan?.plan.seq ?? 0;
    expect(last).toBeGreaterThan(5_000);
    expect(plan && factsFrom(plan, 1, 10)).toBeUndefined();
    expect(plan && factsFrom(plan, last, 10)?.map(({ seq }) => seq)).toEqual([last]);
    expect(plan && factsFrom(plan, last + 1, 10)).toEqual([]);
    expect(plan && factsFrom(plan, last - 99, 10)?.map(({ seq }) => seq - last)).toEqual([
      -99, -98, -97, -96, -95, -94, -93, -92, -91, -90,
    ]);
  });
});
