import { PlanId } from "@planwright/plan";
import fc from "fast-check";
import { expect, it } from "vitest";
import { planReplay, READ_COST_MESSAGES } from "./plan-replay.ts";

const indexed = (...firstSequences: number[]) =>
  firstSequences.map((firstSequence) => ({ planId: PlanId.parse(`p${firstSequence}`), firstSequence }));

it("reads an old plan individually and follows the log for the recent ones", () => {
  const [recent, old, alsoRecent] = indexed(999_990, 1, 999_980);
  if (recent === undefined || old === undefined || alsoRecent === undefined) throw new Error("wanted three");
  expect(planReplay([recent, old, alsoRecent], 1_000_000)).toEqual({ alone: [old], from: 999_980 });
});

it("follows the log from the end of the index when no plan is open", () => {
  expect(planReplay([], 41)).toEqual({ alone: [], from: 42 });
  expect(planReplay([], 0)).toEqual({ alone: [], from: 1 });
});

it("leaves events younger than the index's end to the followed log", () => {
  expect(planReplay(indexed(50), 41)).toEqual({ alone: [], from: 42 });
});

it("restores every plan one way or the other, at no more than the cost of reading each", () => {
  const sequences = fc.uniqueArray(fc.integer({ min: 1, max: 100_000 }), { maxLength: 50 });
  fc.assert(
    fc.property(sequences, fc.integer({ min: 0, max: 100_000 }), (firstSequences, covered) => {
      const { alone, from } = planReplay(indexed(...firstSequences), covered);
      expect(from).toBeLessThanOrEqual(covered + 1);
      const read = new Set(alone.map(({ firstSequence }) => firstSequence));
      for (const sequence of firstSequences) expect(read.has(sequence) || sequence >= from).toBe(true);
      const known = firstSequences.filter((sequence) => sequence <= covered).length;
      expect(alone.length * READ_COST_MESSAGES + covered + 1 - from).toBeLessThanOrEqual(
        known * READ_COST_MESSAGES,
      );
    }),
  );
});
