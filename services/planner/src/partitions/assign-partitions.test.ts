import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignPartitions, type Owners } from "./assign-partitions.ts";

const PARTITIONS = 16;
const NAMES = Array.from({ length: 20 }, (_, index) => `planner-${index}`);
const planners = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 20 });
const owners = fc.array(fc.option(fc.constantFrom(...NAMES), { nil: undefined }), {
  minLength: PARTITIONS,
  maxLength: PARTITIONS,
});
const countOf = (planner: string, all: Owners) => all.filter((owner) => owner === planner).length;
const nobody = Array.from({ length: PARTITIONS }, () => undefined);

describe("assigned partitions", () => {
  it("all have a live owner, and shares differ by at most one (ASSIGNMENT-1)", () => {
    fc.assert(
      fc.property(planners, owners, (living, before) => {
        const after = assignPartitions(living, before);
        const counts = living.map((planner) => countOf(planner, after));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(PARTITIONS);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("move from a live owner only when it has more than its share (ASSIGNMENT-2)", () => {
    fc.assert(
      fc.property(planners, owners, (living, before) => {
        const after = assignPartitions(living, before);
        for (const planner of living) {
          const kept = after.filter((owner, index) => owner === planner && before[index] === planner).length;
          expect(kept).toBe(Math.min(countOf(planner, before), countOf(planner, after)));
        }
      }),
    );
  });

  it("stay where they are while the same planners are alive (ASSIGNMENT-3)", () => {
    fc.assert(
      fc.property(planners, owners, (living, before) => {
        const after = assignPartitions(living, before);
        expect(assignPartitions(living, after)).toEqual(after);
      }),
    );
  });

  it("are the same for every observer (ASSIGNMENT-4)", () => {
    fc.assert(
      fc.property(planners, owners, (living, before) => {
        expect(assignPartitions(living.toReversed(), before)).toEqual(assignPartitions(living, before));
      }),
    );
  });

  it("are split in half when a second planner joins, and all return when it is gone", () => {
    const alone = assignPartitions(["a"], nobody);
    expect(countOf("a", alone)).toBe(PARTITIONS);
    const shared = assignPartitions(["a", "b"], alone);
    expect([countOf("a", shared), countOf("b", shared)]).toEqual([8, 8]);
    expect(assignPartitions(["a"], shared)).toEqual(alone);
  });

  it("belong to no planner when none is alive", () => {
    expect(assignPartitions([], assignPartitions(["a"], nobody))).toEqual(nobody);
  });
});
