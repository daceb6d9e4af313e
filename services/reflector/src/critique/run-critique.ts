/** One review, from its work message to what is recorded: the same for steps and for drafts. */
import {
  type Allowance,
  type Forfeit,
  MODEL_UNAVAILABLE,
  type ModelTries,
  type ModelWork,
  NO_USAGE,
  type PlanId,
  type PlanReviewed,
  type PlanTrace,
  type Usage,
  wholeOf,
} from "@planwright/plan";
import { describeError } from "@planwright/shared/errors";
import { ModelPatience, ModelUnavailableError, reportTries, SpendingMeter } from "@planwright/shared/model";
import type { RenderedPrompt } from "@planwright/shared/prompt";
import type { WorkContext } from "@planwright/shared/queue";
import { processSpan, type Span, withSpan } from "@planwright/shared/telemetry";
import { abortWhenUnwanted } from "../abort-when-unwanted.ts";
import type { JoinDeps } from "../start-reflector.ts";
import { askCritic, type CriticName, type Critique } from "./ask-critic.ts";
import type { Findings } from "./findings.ts";

/** What was said, as it belongs in the log. */
export type Judgement = Pick<
  PlanReviewed["data"],
  "verdict" | "message" | "cause" | "retryAfterMs" | "usage" | "forfeited"
> &
  Partial<Omit<Findings, "approved">>;

export type Critiquing<Wanted> = {
  readonly name: CriticName;
  /** Of the span. */
  readonly attributes: Readonly<Record<string, string | number>>;
  /** What is to be judged; undefined when the plan does not wait for it any more. */
  readonly read: () => Promise<Wanted | undefined>;
  /** The prompt, given what was wrong with the last reply. */
  readonly prompt: (wanted: Wanted) => Promise<(faults: readonly string[]) => RenderedPrompt>;
  /** The work as failed model calls are recorded for it, and what earlier deliveries have recorded. */
  readonly modelWork: ModelWork;
  readonly tried: (wanted: Wanted) => ModelTries | undefined;
  /** Stores the review, unless there is one. */
  readonly record: (judgement: Judgement, span: Span) => Promise<void>;
};

type CritiquedWork = {
  readonly planId: PlanId;
  readonly allowance?: Allowance | undefined;
  readonly trace: PlanTrace;
};

/**
 * Judges something, if its plan still waits for it.
 *
 * @throws The signal's reason when the worker stops.
 */
export async function runCritique<Wanted>(
  deps: JoinDeps,
  work: CritiquedWork,
  { context, critiquing }: { readonly context: WorkContext; readonly critiquing: Critiquing<Wanted> },
): Promise<void> {
  const { planId, allowance } = work;
  const span = processSpan(deps.telemetry, context.trace ?? work.trace, {
    destination: "work.reflect",
    subject: context.subject,
    consumer: "reflector",
    deliveries: context.deliveries,
    attributes: { "plan.id": planId, ...critiquing.attributes, "worker.id": deps.workerId },
  });
  await withSpan(span, async () => {
    const wanted = await critiquing.read();
    if (wanted === undefined) return;
    if (allowance !== undefined && context.deliveries > 1) {
      // The usage of the previous reflector was not counted.
      await critiquing.record({ ...lost("interrupted"), forfeited: wholeOf(allowance) }, span);
      return;
    }
    const { signal, deliveries } = context;
    await judge(deps, work, { wanted, critiquing, signal, deliveries, span });
  });
}

/** That no review will ever come, so that no plan waits for it. */
export function givenUp(allowance: Allowance | undefined, message: string): Judgement {
  const forfeited = allowance === undefined ? {} : { forfeited: wholeOf(allowance) };
  const why = { cause: "model_failed", message: message.slice(0, 2_000) } as const;
  return { verdict: "unjudged", ...why, usage: NO_USAGE, ...forfeited };
}

async function judge<Wanted>(
  deps: JoinDeps,
  { planId, allowance }: CritiquedWork,
  judging: {
    readonly wanted: Wanted;
    readonly critiquing: Critiquing<Wanted>;
    readonly signal: AbortSignal;
    readonly deliveries: number;
    readonly span: Span;
  },
): Promise<void> {
  const { critiquing, wanted, signal, deliveries, span } = judging;
  const unwanted = new AbortController();
  const isWanted = async () => (await critiquing.read()) !== undefined;
  using _hints = abortWhenUnwanted(deps, planId, { isWanted, unwanted });
  const patience = new ModelPatience({
    tried: critiquing.tried(wanted),
    deliveries,
    onFailure: reportTries(deps, { planId, work: critiquing.modelWork }),
  });
  const meter = new SpendingMeter(deps.model, { allowance, patience });
  const metered = (usage: Usage): { usage: Usage; forfeited?: Forfeit } => {
    meter.close();
    return allowance === undefined ? { usage } : meter.report();
  };
  try {
    const critique = await askCritic(meter.model, {
      name: critiquing.name,
      render: await critiquing.prompt(wanted),
      trace: span.ids,
      signal: AbortSignal.any([signal, unwanted.signal]),
    });
    const judgement = judgementOf(critique, meter.isSpent);
    await critiquing.record({ ...judgement, ...metered(critique.usage) }, span);
    span.setAttributes({ "plan.review.verdict": judgement.verdict });
  } catch (error) {
    if (unwanted.signal.aborted) return;
    if (error instanceof ModelUnavailableError) {
      await critiquing.record({ ...unavailable(error), ...metered(NO_USAGE) }, span);
      return;
    }
    if (allowance === undefined) throw error;
    // A reflector that retried with this allowance could not know what is left of it.
    const message = describeError(error).slice(0, 2_000);
    await critiquing.record({ ...lost("interrupted"), message, ...metered(NO_USAGE) }, span);
  }
}

function judgementOf(critique: Critique, isSpent: boolean): Judgement {
  if (critique.kind === "unjudged") {
    const { cause, message, usage } = critique;
    return { verdict: "unjudged", cause: isSpent ? "allowance_spent" : cause, message, usage };
  }
  const { approved, ...said } = critique.findings;
  return { verdict: approved ? "accepted" : "rejected", ...said, usage: critique.usage };
}

function unavailable({ message, retryAfterMs }: ModelUnavailableError) {
  const why = { cause: MODEL_UNAVAILABLE, message: message.slice(0, 2_000) } as const;
  return { verdict: "unjudged", ...why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) } as const;
}

function lost(cause: "interrupted") {
  const message = "the reflector stopped before the review was complete";
  return { verdict: "unjudged", cause, message, usage: NO_USAGE } as const;
}
