import { PlanId } from "@planwright/plan";
import { expect, it } from "vitest";
import { bodyHash, planIdForKey, randomPlanId } from "./submit-plan.ts";

it("derives one id from a tenant's idempotency key, and different ones for any other tenant or key", () => {
  const pairs = [
    ["a", "k"],
    ["b", "k"],
    ["a", "l"],
    ["a,k", ""],
    ["", "a,k"],
  ] as const;
  const ids = pairs.map(([tenant, key]) => planIdForKey(tenant, key));
  expect(new Set(ids).size).toBe(pairs.length);
  expect(planIdForKey("a", "k")).toBe(ids[0]);
});

it("derives ids that fit into a subject and do not look like an option", () => {
  for (let byte = 0; byte < 256; byte++) {
    const id = randomPlanId((size) => new Uint8Array(size).fill(byte));
    expect(PlanId.safeParse(id).success).toBe(true);
    expect(id).toMatch(/^[A-Za-z0-9]/);
    expect(id).toHaveLength(22);
  }
});

it("hashes a body by its meaning, not by the order of its keys", () => {
  expect(bodyHash({ a: 1, b: { c: [1, { d: 2, e: 3 }] } })).toBe(
    bodyHash({ b: { c: [1, { e: 3, d: 2 }] }, a: 1 }),
  );
  expect(bodyHash({ a: [1, 2] })).not.toBe(bodyHash({ a: [2, 1] }));
  expect(bodyHash({ a: "1" })).not.toBe(bodyHash({ a: 1 }));
});
