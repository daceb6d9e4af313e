/** Adds up the figures of plans; docs/figures.md says what each one means. */
import { z } from "zod";
import { SUM_NAMES, type SumName } from "./figures-table.ts";

/** What some plans come to. */
export type FigurePart = Readonly<Record<SumName, number>>;

const Count = z.int().nonnegative();
/** Null when there is nothing to divide by. */
const Ratio = z.number().nonnegative().nullable();

export const Figures = z.object({
  plans: Count.meta({ description: "Plans that ended; sub-plans are part of the plan that asked for them." }),
  succeeded: Count,
  partial: Count.meta({ description: "Plans whose answer lacks something." }),
  refused: Count.meta({
    description: "Plans that ran well, and whose answer is that the goal is not supported or not valid.",
  }),
  failed: Count,
  cancelled: Count,
  successRate: Ratio.meta({
    description:
      "Succeeded, of those that succeeded, partially succeeded or failed; refused and cancelled plans do not count.",
  }),
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
  readonly #sums = Object.fromEntries(SUM_NAMES.map((name) => [name, 0])) as Record<SumName, number>;
  readonly #timesMs: number[] = [];

  add(part: FigurePart): void {
    for (const name of SUM_NAMES) this.#sums[name] += part[name];
  }

  /** One of the plans has succeeded, and has taken so long. */
  addTime(durationMs: number): void {
    this.#timesMs.push(durationMs);
  }

  result(): Figures {
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
      people: {
        decisions: sums.decisions,
        planEdits: sums.planEdits,
        argumentEdits: sums.argumentEdits,
        forks: sums.forks,
        editsPerPlan: ratio(sums.planEdits + sums.argumentEdits + sums.forks, plans),
      },
      mutations: {
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
