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
    expect(reason("steps", { steps: 1 })).toBe("the budget of 1 step was reached");
    expect(reason("steps", { steps: 3 })).toBe("the budget of 3 steps was reached");
    expect(reason("seconds", { seconds: 1 })).toBe("the budget of 1 second was reached");
  });

  it("names what is left when it is not known which work needed more", () => {
    expect(reason("tokens", { tokens: 1_000 }, { used: { tokens: 990, nanoUsd: 0 } })).toBe(
      "the budget of 1000 tokens was reached: 990 are used, and the remaining 10 are not enough to continue",
    );
    expect(reason("usd", { usd: 2 }, { used: { tokens: 0, nanoUsd: 1.5e9 } })).toBe(
      "the budget of 2 US dollars was reached: 1.5 are used, and the remaining 0.5 are not enough to continue",
    );
  });

  it("counts what was forfeited as used", () => {
    expect(reason("tokens", { tokens: 100 }, { forfeited: { tokens: 60, nanoUsd: 0 } })).toMatch(
      /: 60 are used, and the remaining 40 are not enough/,
    );
  });

  it.each([
    ["search/0/1", "step search would"],
    ["search/0/1/review/2", "the review of step search would"],
    ["~answer/1/review/1", "the review of the answer would"],
    ["~draft/1", "the draft would"],
    ["~draft/2", "the next draft would"],
    ["~join/1", "the judgement of the results would"],
    ["~facts/search/0/1", "a look for facts would"],
  ])("names the piece of work that holds the reserve %s", (holder, work) => {
    expect(reason("tokens", { tokens: 100 }, lacking(holder))).toContain(
      `100 are left, and ${work} reserve about 400: 300 for what it reads and 100 for what it writes`,
    );
  });

  it("says that a piece of work would take everything left when no price is known", () => {
    expect(reason("usd", { usd: 1 }, lacking("search/0/1"))).toContain(
      "1 are left, and step search would reserve about all there is: tokens at their highest price",
    );
  });

  it("gives the price of the work when it is known", () => {
    const usdPerToken = { input: 0.001, output: 0.002 };
    expect(reason("usd", { usd: 0.25, usdPerToken }, lacking("search/0/1"))).toContain(
      "0.25 are left, and step search would reserve about 0.5: tokens at their highest price",
    );
  });

  it("says how much the work was given when that was not enough", () => {
    const given = { tokens: 150, nanoUsd: 0.125e9 };
    expect(reason("tokens", { tokens: 150 }, lacking("~join/1", given))).toContain(
      "and the judgement of the results did not manage with the 150 that were left; it would reserve about 400",
    );
    expect(reason("usd", { usd: 1 }, lacking("~join/1", given))).toContain(
      "did not manage with the 0.125 that were left",
    );
  });
});
