/** Adds up the metrics of plans; docs/metrics.md defines each one. */
import type { PlanMetrics } from "@planwright/api";
import { SUM_NAMES, type SumName } from "./figures-table.ts";

/** The metrics of a set of plans. */
export type FigurePart = Readonly<Record<SumName, number>>;

/** A group of plans. */
export class FigureSum {
  readonly #sums = Object.fromEntries(SUM_NAMES.map((name) => [name, 0])) as Record<SumName, number>;
  readonly #timesMs: number[] = [];

  add(part: FigurePart): void {
    for (const name of SUM_NAMES) this.#sums[name] += part[name];
  }

  /** Adds a plan that succeeded, with its duration. */
  addTime(durationMs: number): void {
    this.#timesMs.push(durationMs);
  }

  result(): PlanMetrics {
    const sums = this.#sums;
    const { plans, succeeded, partial, refused, failed, cancelled } = sums;
    const judged = succeeded + partial + failed;
    return {
      plans,
      succeeded,
      partial,
      refused,
      failed,
      cancelled,
      successRate: ratio(succeeded, judged),
      unaidedRate: ratio(sums.unaided, judged),
      timeToCompletionMs: timesOf(this.#timesMs),
      steps: {
        ended: sums.steps,
        failed: sums.stepsFailed,
        failureRate: ratio(sums.stepsFailed, sums.steps),
      },
      replanning: { revisions: sums.replans, perPlan: ratio(sums.replans, plans) },
      interventions: {
        decisions: sums.decisions,
        planEdits: sums.planEdits,
        argumentEdits: sums.argumentEdits,
        forks: sums.forks,
        editsPerPlan: ratio(sums.planEdits + sums.argumentEdits + sums.forks, plans),
      },
      effects: {
        idempotent: sums.mutationsIdempotent,
        once: sums.mutationsOnce,
        perPlan: ratio(sums.mutationsIdempotent + sums.mutationsOnce, plans),
      },
      toolCalls: made(sums.toolCalls, sums.toolCallsMin),
      modelCalls: made(sums.modelCalls, sums.modelCallsMin),
      tokens: {
        input: sums.inputTokens,
        output: sums.outputTokens,
        perPlan: ratio(sums.inputTokens + sums.outputTokens, plans),
      },
      cost: {
        usd: sums.costUsd,
        plansUnknown: plans - sums.costsKnown,
        perPlan: ratio(sums.costUsd, sums.costsKnown),
      },
      planning: {
        plans: sums.planned,
        meanMs: ratio(sums.planningMs, sums.planned),
        share: ratio(sums.planningMs, sums.plannedMs),
      },
      satisfaction: { rated: sums.rated, mean: ratio(sums.ratingSum, sums.rated) },
    };
  }
}

function made(calls: number, needed: number): PlanMetrics["toolCalls"] {
  return { made: calls, needed, ratio: ratio(calls, needed) };
}

export function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function timesOf(durationsMs: readonly number[]): PlanMetrics["timeToCompletionMs"] {
  const sorted = Float64Array.from(durationsMs).sort();
  const sum = sorted.reduce((total, ms) => total + ms, 0);
  return {
    mean: ratio(sum, sorted.length),
    p50: percentile(sorted, 50),
    p90: percentile(sorted, 90),
    p95: percentile(sorted, 95),
    p99: percentile(sorted, 99),
  };
}

/** The nearest rank: the smallest value such that at least this percentage of all values are not above it. */
function percentile(sorted: Float64Array, percent: number): number | null {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
}
