import { describe, expect, it } from "vitest";
import { createPlanSampler } from "./plan-sampler.ts";

const traceIds = Array.from(
  { length: 2_000 },
  (_, index) =>
    // Distributed over the whole range of the last 32 bits.
    `${"a".repeat(24)}${Math.floor((index / 2_000) * 2 ** 32)
      .toString(16)
      .padStart(8, "0")}`,
);

describe("the plan sampler", () => {
  it("traces every plan up to the rate per second", () => {
    let nowMs = 0;
    const sampler = createPlanSampler({ plansPerSecond: 3, ratio: 0, now: () => nowMs });
    const burst = () => traceIds.slice(0, 5).map((id) => sampler.sample(id));
    expect(burst()).toEqual([true, true, true, false, false]);
    nowMs = 1_000;
    expect(burst()).toEqual([true, true, true, false, false]);
  });

  it("traces a share of the plans beyond the rate", () => {
    const sampler = createPlanSampler({ plansPerSecond: 0, ratio: 0.25, now: () => 0 });
    expect(traceIds.filter((id) => sampler.sample(id))).toHaveLength(500);
  });

  it("makes the same decision for a plan on every machine", () => {
    const one = createPlanSampler({ plansPerSecond: 0, ratio: 0.5, now: () => 0 });
    const other = createPlanSampler({ plansPerSecond: 0, ratio: 0.5, now: () => 99_000 });
    expect(traceIds.map((id) => one.sample(id))).toEqual(traceIds.map((id) => other.sample(id)));
  });
});
