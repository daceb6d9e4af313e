import { PlanMetrics } from "@planwright/api";
import { describe, expect, it } from "vitest";
import { type FigurePart, FigureSum } from "./figure-sum.ts";
import { SUM_NAMES } from "./figures-table.ts";

const NOTHING = Object.fromEntries(SUM_NAMES.map((name) => [name, 0])) as FigurePart;
const sumOf = (parts: readonly Partial<FigurePart>[], times: readonly number[] = []): PlanMetrics => {
  const sum = new FigureSum();
  for (const part of parts) sum.add({ ...NOTHING, ...part });
  for (const ms of times) sum.addTime(ms);
  return PlanMetrics.parse(sum.result());
};

describe("the metrics of several plans", () => {
  it("are null when the denominator is zero", () => {
    expect(sumOf([])).toMatchObject({
      plans: 0,
      successRate: null,
      timeToCompletionMs: { mean: null, p50: null, p90: null, p95: null, p99: null },
      steps: { ended: 0, failureRate: null },
      toolCalls: { made: 0, ratio: null },
      planning: { plans: 0, share: null },
      satisfaction: { rated: 0, mean: null },
    });
    expect(sumOf([{ plans: 1, cancelled: 1 }])).toMatchObject({
      plans: 1,
      successRate: null,
      timeToCompletionMs: { p50: null },
      cost: { usd: 0, plansUnknown: 1, perPlan: null },
    });
  });

  it("count partial plans as unsuccessful, in a separate column", () => {
    const figures = sumOf([
      { plans: 2, succeeded: 1, partial: 1, unaided: 1 },
      { plans: 2, partial: 1, failed: 1 },
    ]);
    expect(figures).toMatchObject({
      succeeded: 1,
      partial: 2,
      failed: 1,
      successRate: 0.25,
      unaidedRate: 0.25,
    });
  });

  it("count refused plans neither as successful nor as unsuccessful, in a separate column", () => {
    const figures = sumOf([{ plans: 4, succeeded: 1, refused: 2, failed: 1, unaided: 1 }]);
    expect(figures).toMatchObject({ plans: 4, succeeded: 1, refused: 2, successRate: 0.5, unaidedRate: 0.5 });
    expect(sumOf([{ plans: 1, refused: 1 }])).toMatchObject({ refused: 1, successRate: null });
  });

  it("count cancelled plans neither for nor against success", () => {
    const figures = sumOf([
      { plans: 3, succeeded: 2, failed: 1, unaided: 1, forks: 1 },
      { plans: 2, succeeded: 1, cancelled: 1, planEdits: 1, argumentEdits: 2 },
    ]);
    expect(figures).toMatchObject({ plans: 5, successRate: 0.75, unaidedRate: 0.25 });
    expect(figures.interventions.editsPerPlan).toBe(4 / 5);
  });

  it.each([
    { times: [7], p50: 7, p90: 7, p95: 7, p99: 7 },
    { times: [40, 10, 30, 20], p50: 20, p90: 40, p95: 40, p99: 40 },
    { times: Array.from({ length: 20 }, (_, index) => index + 1), p50: 10, p90: 18, p95: 19, p99: 20 },
    { times: Array.from({ length: 100 }, (_, index) => 100 - index), p50: 50, p90: 90, p95: 95, p99: 99 },
  ])("use the nearest rank of $times for percentiles", ({ times, ...percentiles }) => {
    const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
    expect(sumOf([], times).timeToCompletionMs).toEqual({ mean, ...percentiles });
  });

  it("weigh long plans more than short ones in the share of planning", () => {
    const figures = sumOf([{ plans: 3, planned: 2, planningMs: 10, plannedMs: 100 }]);
    expect(figures.planning).toEqual({ plans: 2, meanMs: 5, share: 0.1 });
  });

  it("add up counts and ratings", () => {
    const figures = sumOf([
      { plans: 1, steps: 4, stepsFailed: 1, replans: 2, toolCalls: 6, toolCallsMin: 3, costsKnown: 1 },
      { plans: 1, mutationsIdempotent: 2, mutationsOnce: 1, modelCalls: 3, modelCallsMin: 2, costUsd: 0.5 },
      { plans: 2, decisions: 5, costsKnown: 1, rated: 2, ratingSum: 5, inputTokens: 70, outputTokens: 30 },
    ]);
    expect(figures).toMatchObject({
      steps: { ended: 4, failed: 1, failureRate: 0.25 },
      replanning: { revisions: 2, perPlan: 0.5 },
      toolCalls: { made: 6, needed: 3, ratio: 2 },
      modelCalls: { made: 3, needed: 2, ratio: 1.5 },
      tokens: { input: 70, output: 30, perPlan: 25 },
      effects: { idempotent: 2, once: 1, perPlan: 0.75 },
      interventions: { decisions: 5 },
      cost: { usd: 0.5, plansUnknown: 2, perPlan: 0.25 },
      satisfaction: { rated: 2, mean: 2.5 },
    });
  });
});
