import type { Figures } from "../../src/api/api-types.ts";

/** Metrics of plans that did nothing, except for the given values. */
export function figuresWith(some: Partial<Figures>): Figures {
  return {
    plans: 0,
    succeeded: 0,
    partial: 0,
    refused: 0,
    failed: 0,
    cancelled: 0,
    successRate: null,
    unaidedRate: null,
    timeToCompletionMs: { mean: null, p50: null, p90: null, p95: null, p99: null },
    steps: { ended: 0, failed: 0, failureRate: null },
    replanning: { revisions: 0, perPlan: null },
    interventions: { decisions: 0, planEdits: 0, argumentEdits: 0, forks: 0, editsPerPlan: null },
    effects: { idempotent: 0, once: 0, perPlan: null },
    toolCalls: { made: 0, needed: 0, ratio: null },
    modelCalls: { made: 0, needed: 0, ratio: null },
    tokens: { input: 0, output: 0, perPlan: null },
    cost: { usd: 0, plansUnknown: 0, perPlan: null },
    planning: { plans: 0, meanMs: null, share: null },
    satisfaction: { rated: 0, mean: null },
    ...some,
  };
}
