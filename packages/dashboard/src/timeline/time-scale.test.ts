import { describe, expect, it } from "vitest";
import { roomFor, ticksOf } from "./time-scale.ts";

describe("the lines of an axis", () => {
  it.each([
    [7, 6, [0, 2, 4, 6]],
    [3_600, 6, [0, 1_000, 2_000, 3_000]],
    [1, 6, [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]],
    [90_000, 6, [0, 15_000, 30_000, 45_000, 60_000, 75_000, 90_000]],
    [3_600_000, 6, [0, 600_000, 1_200_000, 1_800_000, 2_400_000, 3_000_000, 3_600_000]],
    [0, 6, [0]],
  ])("for %d ms, with a maximum of %d, are at round times", (endMs, wanted, ticks) => {
    expect(ticksOf(endMs, wanted)).toEqual(ticks);
  });

  it("are days for long times, and never exceed the wanted number by more than one", () => {
    expect(ticksOf(10 * 86_400_000, 6)).toHaveLength(6);
    for (const endMs of [3, 47, 999, 12_345, 61_000, 777_777, 5e8])
      expect(ticksOf(endMs, 6).length).toBeLessThanOrEqual(7);
  });

  it("leave room for growth, and do not move every moment", () => {
    expect(roomFor(0)).toBeGreaterThan(0);
    for (const endMs of [1, 130, 4_200, 100_000]) expect(roomFor(endMs)).toBeGreaterThanOrEqual(endMs);
    expect(roomFor(4_200)).toBe(roomFor(4_900));
  });
});
