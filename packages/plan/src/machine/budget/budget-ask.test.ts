import type { BudgetState, Lack, Limited } from "./budget-state.ts";
import { describe, expect, it } from "vitest";
import type { StoredBudget } from "../../language/budget.ts";
import { budgetOf } from "./budget-ledger.ts";
import { reasonOf } from "./budget-ask.ts";

const NEED = { input: 300, output: 100 };

function reason(limit: Limited, stored: Partial<StoredBudget>, more: Partial<BudgetState> = {}): string {
  const budget = budgetOf({ onExhausted: "end", ...stored }, "2026-01-01T00:00:00Z");
  return reasonOf({ ...budget, ...more }, limit);
}

const lacking = (holder: string, given?: Lack["given"]): Partial<BudgetState> => ({
  lack: { holder, need: NEED, ...(given === undefined ? {} : { given }) },
});

describe("the reason that a budget was reached", () => {
  it("names the number of steps or seconds, in the singular for one", () => {
    expect(reason("steps", { steps: 1 })).toBe("the budget of 1 step is exhausted");
    expect(reason("steps", { steps: 3 })).toBe("the budget of 3 steps is exhausted");
    expect(reason("seconds", { seconds: 1 })).toBe("the budget of 1 second is exhausted");
  });

  it("names what is left when it is not known which work needed more", () => {
    expect(reason("tokens", { tokens: 1_000 }, { used: { tokens: 990, nanoUsd: 0 } })).toBe(
      "the budget of 1,000 tokens is exhausted: 990 are used, and the remaining 10 is not enough to continue",
    );
    expect(reason("usd", { usd: 2 }, { used: { tokens: 0, nanoUsd: 1.5e9 } })).toBe(
      "the budget of $2 is exhausted: $1.5 is used, and the remaining $0.5 is not enough to continue",
    );
  });

  it("counts what was forfeited as used", () => {
    expect(reason("tokens", { tokens: 100 }, { forfeited: { tokens: 60, nanoUsd: 0 } })).toMatch(
      /: 60 are used, and the remaining 40 is not enough/,
    );
  });

  it.each([
    ["search/0/1", "step search"],
    ["search/0/1/review/2", "the review of step search"],
    ["~answer/1/review/1", "the review of the answer"],
    ["~draft/1", "the draft"],
    ["~draft/2", "the next draft"],
    ["~join/1", "the review of the results"],
    ["~facts/search/0/1", "the extraction of facts"],
  ])("names the piece of work that holds the reserve %s", (holder, work) => {
    expect(reason("tokens", { tokens: 100 }, lacking(holder))).toContain(
      `and 100 left, but ${work} needs about 400 (300 tokens to read and 100 to write)`,
    );
  });

  it("says that a piece of work would take everything left when no price is known", () => {
    expect(reason("usd", { usd: 1 }, lacking("search/0/1"))).toContain(
      "and $1 left, but step search needs all of it, as its price is unknown",
    );
  });

  it("gives the price of the work when it is known", () => {
    const usdPerToken = { input: 0.001, output: 0.002 };
    expect(reason("usd", { usd: 0.25, usdPerToken }, lacking("search/0/1"))).toContain(
      "and $0.25 left, but step search needs about $0.5 at the highest token price",
    );
  });

  it("says how much the work was given when that was not enough", () => {
    const given = { tokens: 150, nanoUsd: 0.125e9 };
    expect(reason("tokens", { tokens: 150 }, lacking("~join/1", given))).toContain(
      "and the remaining 150 was not enough for the review of the results, which needs about 400",
    );
    expect(reason("usd", { usd: 1 }, lacking("~join/1", given))).toContain(
      "the remaining $0.125 was not enough",
    );
  });
});
