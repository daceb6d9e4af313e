import { expect, it } from "vitest";
import { after, step, submitted } from "../../test/facts.ts";
import { cappedBudget, raiseAbove, roomFor } from "./max-budget.ts";

it("leaves a budget unchanged where the policy has no limit", () => {
  const wanted = { usd: 5, onExhausted: "ask" } as const;
  expect(cappedBudget(wanted, undefined)).toBe(wanted);
  expect(cappedBudget(wanted, {})).toBe(wanted);
  expect(cappedBudget(undefined, undefined)).toBeUndefined();
});

it("lowers limits above the policy's, keeps lower ones, and adds missing ones", () => {
  const max = { usd: 2, steps: 50, seconds: 60 };
  expect(cappedBudget({ usd: 5, steps: 10, tokens: 900, onExhausted: "ask" }, max)).toEqual({
    usd: 2,
    steps: 10,
    tokens: 900,
    seconds: 60,
    onExhausted: "ask",
  });
});

it("ends a plan that reaches a limit set only by the policy", () => {
  expect(cappedBudget(undefined, { usd: 2 })).toEqual({ usd: 2, onExhausted: "end" });
});

const capped = after(
  submitted([step("a")], {
    budget: { tokens: 300, usd: 1, onExhausted: "ask" },
    policy: { rules: [], maxBudget: { tokens: 500, usd: 3, steps: 9 } },
  }),
);

it("allows raising a budget up to the policy's limit, or without one by any amount", () => {
  expect(roomFor(capped, "tokens")).toBe(200);
  expect(roomFor(capped, "usd")).toBe(2);
  expect(roomFor(capped, "steps")).toBe(9);
  expect(roomFor(capped, "seconds")).toBe(Number.POSITIVE_INFINITY);
});

it("refuses a raise above the policy's limit with the limit, the current and the requested amount", () => {
  expect(raiseAbove(capped, { tokens: 200, usd: 2, seconds: 600 })).toBeUndefined();
  expect(raiseAbove(capped, { tokens: 201 })).toBe(
    "the installation's policy lets a plan use at most 500 tokens; this one may use 300 now, and 201 more are asked for",
  );
  expect(raiseAbove(after(submitted([step("a")])), { tokens: 201 })).toBeUndefined();
});
