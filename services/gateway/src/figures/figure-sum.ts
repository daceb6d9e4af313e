/** Adds up the figures of plans; docs/figures.md says what each one means. */
import type { Outcome, PlannedBy } from "@planwright/plan";
import { z } from "zod";
import { COUNTS, type CountName } from "./figures-table.ts";

/** What is kept of one plan. */
export type FigureRow = Readonly<Record<CountName, number>> & {
  readonly endedMs: number;
  readonly strategy: PlannedBy;
  readonly outcome: Outcome;
  readonly durationMs: number;
  readonly planningMs: number | null;
  readonly costUsd: number | null;
  /** 1 or 0. */
  readonly isFork: number;
  readonly rating: number | null;
};

const Count = z.int().nonnegative();
/** Null when there is nothing to divide by. */
const Ratio = z.number().nonnegative().nullable();

export const Figures = z.object({
  plans: Count.meta({ description: "Plans that ended; sub-plans are part of the plan that asked for them." }),
  succeeded: Count,
  failed: Count,
  cancelled: Count,
  successRate: Ratio.meta({ description: "Succeeded, of those that succeeded or failed." }),
  unaidedRate: Ratio.meta({ description: "Succeeded without a change by a person, of the same." }),
  timeToCompletionMs: z.object({ mean: Ratio, p50: Ratio, p95: Ratio }).meta({
    description: "Of plans that succeeded: from the submission, or the start that was asked for, to the end.",
  }),
  steps: z.object({ ended: Count, failed: Count, failureRate: Ratio }),
  replanning: z.object({ revisions: Count, perPlan: Ratio }),
  people: z.object({
    decisions: Count,
    planEdits: Count,
    argumentEdits: Count,
    forks: Count,
    editsPerPlan: Ratio,
  }),
  mutations: z.object({ idempotent: Count, once: Count, perPlan: Ratio }),
  toolCalls: z.object({ made: Count, needed: Count, ratio: Ratio }),
  modelCalls: z.object({ made: Count, needed: Count, ratio: Ratio }),
  tokens: z.object({ input: Count, output: Count, perPlan: Ratio }),
  cost: z.object({
    usd: z.number().nonnegative().meta({ description: "Of the plans whose cost is known." }),
    plansUnknown: Count,
    perPlan: Ratio,
  }),
  planning: z
    .object({ plans: Count, meanMs: Ratio, share: Ratio })
    .meta({ description: "Of plans that were drafted here: the time until the first draft was complete." }),
  satisfaction: z.object({ rated: Count, mean: Ratio }),
});
export type Figures = z.output<typeof Figures>;

/** A group of plans. */
export class FigureSum {
  readonly #counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<CountName, number>;
  readonly #outcomes = { succeeded: 0, failed: 0, cancelled: 0 };
  /** Of plans that succeeded. */
  readonly #durationsMs: number[] = [];
  #unaided = 0;
  #forks = 0;
  #costUsd = 0;
  #costsUnknown = 0;
  readonly #planned = { plans: 0, planningMs: 0, durationMs: 0 };
  readonly #rated = { plans: 0, sum: 0 };

  add(row: FigureRow): void {
    for (const name of COUNTS) this.#counts[name] += row[name];
    this.#outcomes[row.outcome] += 1;
    this.#forks += row.isFork;
    if (row.outcome === "succeeded") {
      this.#durationsMs.push(row.durationMs);
      if (row.planEdits + row.argumentEdits + row.isFork === 0) this.#unaided += 1;
    }
    if (row.costUsd === null) this.#costsUnknown += 1;
    else this.#costUsd += row.costUsd;
    if (row.planningMs !== null) {
      this.#planned.plans += 1;
      this.#planned.planningMs += row.planningMs;
      this.#planned.durationMs += row.durationMs;
    }
    if (row.rating !== null) {
      this.#rated.plans += 1;
      this.#rated.sum += row.rating;
    }
  }

  result(): Figures {
    const counts = this.#counts;
    const { succeeded, failed, cancelled } = this.#outcomes;
    const plans = succeeded + failed + cancelled;
    const edits = counts.planEdits + counts.argumentEdits + this.#forks;
    const planned = this.#planned;
    return {
      plans,
      succeeded,
      failed,
      cancelled,
      successRate: ratio(succeeded, succeeded + failed),
      unaidedRate: ratio(this.#unaided, succeeded + failed),
      timeToCompletionMs: timesOf(this.#durationsMs),
      steps: {
        ended: counts.steps,
        failed: counts.stepsFailed,
        failureRate: ratio(counts.stepsFailed, counts.steps),
      },
      replanning: { revisions: counts.replans, perPlan: ratio(counts.replans, plans) },
      people: {
        decisions: counts.decisions,
        planEdits: counts.planEdits,
        argumentEdits: counts.argumentEdits,
        forks: this.#forks,
        editsPerPlan: ratio(edits, plans),
      },
      mutations: {
        idempotent: counts.mutationsIdempotent,
        once: counts.mutationsOnce,
        perPlan: ratio(counts.mutationsIdempotent + counts.mutationsOnce, plans),
      },
      toolCalls: made(counts.toolCalls, counts.toolCallsMin),
      modelCalls: made(counts.modelCalls, counts.modelCallsMin),
      tokens: {
        input: counts.inputTokens,
        output: counts.outputTokens,
        perPlan: ratio(counts.inputTokens + counts.outputTokens, plans),
      },
      cost: {
        usd: this.#costUsd,
        plansUnknown: this.#costsUnknown,
        perPlan: ratio(this.#costUsd, plans - this.#costsUnknown),
      },
      planning: {
        plans: planned.plans,
        meanMs: ratio(planned.planningMs, planned.plans),
        share: ratio(planned.planningMs, planned.durationMs),
      },
      satisfaction: { rated: this.#rated.plans, mean: ratio(this.#rated.sum, this.#rated.plans) },
    };
  }
}

function made(calls: number, needed: number): Figures["toolCalls"] {
  return { made: calls, needed, ratio: ratio(calls, needed) };
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function timesOf(durationsMs: readonly number[]): Figures["timeToCompletionMs"] {
  const sorted = Float64Array.from(durationsMs).sort();
  const sum = sorted.reduce((total, ms) => total + ms, 0);
  return { mean: ratio(sum, sorted.length), p50: percentile(sorted, 50), p95: percentile(sorted, 95) };
}

/** The nearest rank: the smallest value that so many percent of all are not above. */
function percentile(sorted: Float64Array, percent: number): number | null {
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? null;
}
