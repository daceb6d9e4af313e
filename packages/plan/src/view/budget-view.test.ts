import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  failed,
  faltered,
  step,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import type { StoredBudget } from "../language/budget.ts";
import { viewOf } from "./plan-view.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

const budget = (limits: Partial<StoredBudget>) => ({ budget: { onExhausted: "end", ...limits } });

describe("the forecast of steps", () => {
  const forecastOf = (plan: KnownPlan) => viewOf(plan, 0).budget?.forecast?.steps;
  const four = (limits: Partial<StoredBudget>) =>
    submitted([step("a"), step("b"), step("c", ["a", "b"]), step("d", ["c"])], budget(limits));

  it("is based on the attempts of settled steps and excludes running ones", () => {
    const plan = after(four({ steps: 10 }), succeeded("a"));
    expect(viewOf(plan, 0).budget?.used.steps).toBe(2);
    expect(forecastOf(plan)).toBe(4);
    expect(forecastOf(andAfter(plan, succeeded("b"), succeeded("c"), succeeded("d")))).toBe(4);
  });

  it("counts retries", () => {
    expect(
      forecastOf(after(four({ steps: 10 }), faltered("a"), timerFired("retry-a-0-2"), succeeded("a", 1, 2))),
    ).toBe(8);
  });

  it("is never less than the current usage", () => {
    const plan = after(four({ steps: 10 }), failed("a"));
    expect(forecastOf(plan)).toBeGreaterThanOrEqual(viewOf(plan, 0).budget?.used.steps ?? Infinity);
  });
});
