import { expect, it } from "vitest";
import type { RunEstimate } from "../api/api-types.ts";
import { runningWords } from "./preview-card.tsx";

const estimate = (more: Partial<RunEstimate>): RunEstimate => ({
  durationMs: 6_200,
  costUsd: 0.012,
  inputTokens: 0,
  outputTokens: 0,
  steps: 7,
  stepsTimed: 7,
  stepsPriced: 7,
  runs: 14,
  answered: true,
  ...more,
});

it.each<[Partial<RunEstimate>, string]>([
  [{}, "Estimated run: about 6.20 s, about $0.0120, from 14 earlier runs"],
  [
    { stepsTimed: 5, stepsPriced: 5, runs: 1 },
    "Estimated run: about 6.20 s, about $0.0120, from 1 earlier run; time and cost of 2 of 7 steps unknown",
  ],
  [
    { stepsPriced: 5, answered: false },
    "Estimated run: about 6.20 s, about $0.0120, from 14 earlier runs; cost of 2 of 7 steps unknown; plus the answer",
  ],
  [
    { costUsd: 0, stepsTimed: 6, runs: 0 },
    "Estimated run: about 6.20 s, no model cost; time of 1 of 7 steps unknown",
  ],
  // If the known steps cost nothing, the plan's cost is still unknown.
  [
    { durationMs: null, costUsd: 0, stepsTimed: 0, stepsPriced: 3, runs: 0 },
    "Estimated run: time of 7 and cost of 4 of 7 steps unknown",
  ],
])("shows the known time and cost of a run, and how many steps have no estimate: %j", (more, words) => {
  expect(runningWords(estimate(more))).toBe(words);
});
