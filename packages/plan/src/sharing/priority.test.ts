import { expect, it } from "vitest";
import { maxPriorityOf, PolicyFile } from "../policy/policy-file.ts";
import { grantedPriority, weightOf } from "./priority.ts";

it.each([
  [undefined, undefined, "normal"],
  [undefined, "low", "low"],
  [undefined, "high", "normal"],
  ["high", undefined, "high"],
  ["high", "high", "high"],
  ["low", "normal", "low"],
  ["normal", "low", undefined],
  ["high", "normal", undefined],
] as const)("is, for a request of %s with a maximum of %s, %s", (asked, highest, granted) => {
  expect(grantedPriority(asked, highest)).toBe(granted);
});

it("gives each priority four times the weight of the one below", () => {
  expect([weightOf("low"), weightOf(), weightOf("normal"), weightOf("high")]).toEqual([1, 4, 4, 16]);
});

it("is limited by the first pattern that matches the key's identity", () => {
  const file = PolicyFile.parse({
    maxPriority: { "acme/batch-*": "low", "acme/*": "high", "*": "normal" },
    tenants: { bell: { maxPriority: { "bell/live": "high" } } },
  });
  const highest = (tenant: string, identity?: string) => maxPriorityOf(file, { tenant, identity });
  expect(highest("acme", "acme/batch-1")).toBe("low");
  expect(highest("acme", "acme/ann")).toBe("high");
  expect(highest("coil", "coil")).toBe("normal");
  expect(highest("local")).toBe("normal");
  expect(highest("bell", "bell/live")).toBe("high");
  expect(highest("bell", "bell/other")).toBeUndefined();
});
