import { describe, expect, it } from "vitest";
import { PARTITIONS, PlanId, partitionOf, StepId } from "./ids.ts";
import { fnv1a32 } from "./fnv1a.ts";

describe("an id", () => {
  it.each(["a", "A-1_b", "x".repeat(64), "__proto__"])("can be %s", (id) => {
    expect(PlanId.parse(id)).toBe(id);
    expect(StepId.parse(id)).toBe(id);
  });

  it.each(["", "a.b", "*", "a>", "a b", "ä", "a\n", "a/b", "x".repeat(65)])("cannot be %j", (id) => {
    expect(StepId.safeParse(id).success).toBe(false);
  });
});

describe("the hash of an id", () => {
  // The test vectors of its authors.
  it.each([
    ["", 0x811c9dc5],
    ["a", 0xe40c292c],
    ["foobar", 0xbf9cf968],
  ])("is, for %j, %d", (text, hash) => {
    expect(fnv1a32(text)).toBe(hash);
  });

  it("always maps a plan to the same partition", () => {
    expect(partitionOf(PlanId.parse("foobar"))).toBe(0xbf9cf968 % PARTITIONS);
    const used = new Set(Array.from({ length: 500 }, (_, n) => partitionOf(PlanId.parse(`plan-${n}`))));
    expect([...used].toSorted((left, right) => left - right)).toEqual([...Array(PARTITIONS).keys()]);
  });
});
