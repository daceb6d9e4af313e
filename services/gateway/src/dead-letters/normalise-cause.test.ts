import { describe, expect, it } from "vitest";
import { normaliseCause } from "./normalise-cause.ts";

describe("causes are the same", () => {
  it.each([
    [
      "failed 5 times, at last: connect ECONNREFUSED 127.0.0.1:4222",
      "failed 7 times, at last: connect ECONNREFUSED 10.0.0.7:80",
    ],
    ['no executor of pool gpu has a tool "a.b"', "no executor of pool gpu has a tool 'c'"],
    ["artifact 3f2a9c1e77 is gone", "artifact 0d11beef01 is  gone"],
    ["plan 0b7e6c62-4b5e-4a0e-9d63-0e6d4a0f6b1c", "plan 1b7e6c62-4b5e-4a0e-9d63-0e6d4a0f6b1d"],
  ])("%s", (one, other) => {
    expect(normaliseCause(one)).toBe(normaliseCause(other));
  });
});

it("keeps causes apart when their text differs", () => {
  expect(normaliseCause("connect ECONNREFUSED 1.2.3.4")).not.toBe(
    normaliseCause("connect ETIMEDOUT 1.2.3.4"),
  );
  expect(normaliseCause("the deadbeef is dead")).toBe("the deadbeef is dead");
});

it("bounds the length of causes, and handles hostile text quickly", () => {
  expect(normaliseCause("x".repeat(1_000_000)).length).toBe(300);
  expect(normaliseCause(`"${"a1".repeat(500_000)}`).length).toBeLessThanOrEqual(300);
});
