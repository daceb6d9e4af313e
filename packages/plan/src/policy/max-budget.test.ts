import { expect, it } from "vitest";
import { cappedBudget } from "./max-budget.ts";

it("leaves a budget as it is where the policy has no limit", () => {
  const wanted = { usd: 5, onExhausted: "ask" } as const;
  expect(cappedBudget(wanted, undefined)).toBe(wanted);
  expect(cappedBudget(wanted, {})).toBe(wanted);
  expect(cappedBudget(undefined, undefined)).toBeUndefined();
});

it("lowers what is above the policy's limits, keeps what is below, and adds what is not set", () => {
  const max = { usd: 2, steps: 50, seconds: 60 };
  expect(cappedBudget({ usd: 5, steps: 10, tokens: 900, onExhausted: "ask" }, max)).toEqual({
    usd: 2,
    steps: 10,
    tokens: 900,
    seconds: 60,
    onExhausted: "ask",
  });
});

it("ends a plan that reaches a limit which the policy alone has set", () => {
  expect(cappedBudget(undefined, { usd: 2 })).toEqual({ usd: 2, onExhausted: "end" });
});
