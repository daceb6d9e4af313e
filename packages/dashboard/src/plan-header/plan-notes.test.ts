import { describe, expect, it } from "vitest";
import { budgetRows, usageWords } from "./plan-notes.tsx";

const BUDGET = {
  limit: { usd: 1, tokens: 1_000, seconds: 120 },
  used: { usd: 0.42, tokens: 800, seconds: 90 },
  forfeited: { usd: 0, tokens: 12 },
  reserved: { usd: 0.1, tokens: 400 },
  remaining: { usd: 0.48, tokens: 0, seconds: 30 },
  forecast: { usd: 0.71, tokens: 1_600 },
  onExhausted: "end",
} as const;

type Amounts = { used: number; forecast?: number; isExhausted?: boolean };

describe("a budget", () => {
  it("has a row for each limited amount, as shares of the limit and as text", () => {
    expect(budgetRows(BUDGET, false)).toEqual([
      {
        name: "usd",
        label: "Cost",
        used: 0.42,
        reserved: 0.1,
        forecast: 0.71,
        state: "within",
        warning: undefined,
        words: "$0.42 of $1.00, $0.10 reserved, about $0.71 expected",
      },
      {
        name: "tokens",
        label: "Tokens",
        used: 0.8,
        // No more than fits.
        reserved: expect.closeTo(0.2),
        forecast: 1.6,
        state: "beyond",
        warning: "Expected to exceed the limit: then the plan ends with the results so far",
        words: "800 of 1,000, 400 reserved, about 1,600 expected, 12 of it forfeited",
      },
      {
        name: "seconds",
        label: "Time",
        used: 0.75,
        reserved: 0,
        forecast: undefined,
        state: "within",
        warning: undefined,
        words: "1 min 30 s of 2 min",
      },
    ]);
  });

  it("has no forecast for an ended plan", () => {
    const rows = budgetRows({ ...BUDGET, exhausted: "seconds" }, true);
    expect(rows.map(({ state, words }) => [state, words])).toEqual([
      ["within", "$0.42 of $1.00"],
      ["within", "800 of 1,000, 12 of it forfeited"],
      ["exhausted", "1 min 30 s of 2 min"],
    ]);
  });

  it.each([
    [{ used: 9 }, false, "near", "Less than 10% of the limit left"],
    [{ used: 10 }, false, "near", "Limit used up"],
    [{ used: 10 }, true, "within", undefined],
    // Compensations run even if the budget is exhausted.
    [{ used: 11 }, true, "beyond", "The limit was exceeded"],
    [
      { used: 1, forecast: 11 },
      false,
      "beyond",
      "Expected to exceed the limit: then approval is requested to continue",
    ],
    [{ used: 10, isExhausted: true }, false, "exhausted", "Limit reached: approval is requested to continue"],
    [{ used: 10, isExhausted: true }, true, "exhausted", "Limit reached"],
  ])("warns of %j, over: %j", ({ used, forecast, isExhausted = false }: Amounts, isOver, state, warning) => {
    const rows = budgetRows(
      {
        limit: { steps: 10 },
        used: { steps: used },
        forfeited: {},
        reserved: {},
        remaining: {},
        onExhausted: "ask",
        ...(forecast === undefined ? {} : { forecast: { steps: forecast } }),
        ...(isExhausted ? { exhausted: "steps" } : {}),
      },
      isOver,
    );
    expect(rows).toMatchObject([{ state, warning }]);
  });

  it("of zero is used up from the start", () => {
    const none = { ...BUDGET, limit: { steps: 0 }, used: { steps: 0 }, forecast: undefined };
    const { forecast: _forecast, ...budget } = none;
    expect(budgetRows(budget, false)).toMatchObject([{ used: 1, reserved: 0, words: "0 of 0" }]);
  });
});

it.each([
  [{ modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 }, undefined],
  [{ modelCalls: 1, inputTokens: 1_200, outputTokens: 34, costUsd: 0 }, "1 model call, 1,234 tokens"],
  [{ modelCalls: 3, inputTokens: 1, outputTokens: 1, costUsd: 0.0123 }, "3 model calls, 2 tokens, $0.0123"],
  [
    { modelCalls: 3, inputTokens: 1, outputTokens: 1, costUsd: null },
    "3 model calls, 2 tokens, cost unknown",
  ],
])("formats the model usage %j", (usage, words) => {
  expect(usageWords(usage)).toBe(words);
});
