/** The result of a draft once all of it has been read. */
import { type Issue, type Json, NO_USAGE, type Step, type StepId, type Usage } from "@planwright/plan";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { estimateTokens, ModelUnavailableError } from "@planwright/shared/model";
import { type DraftSize, sizeIssuesOf } from "./draft-size.ts";
import type { StepsBuilder } from "./draft-builder.ts";

/** As in the plan language. */
const REASONING_CHARS_MAX = 20_000;
const MESSAGE_CHARS_MAX = 2_000;

export type CompleteDraft = {
  readonly status: "complete";
  /** In the order of planning, including earlier steps that are reused. */
  readonly steps: readonly Step[];
  /** The ids of the steps that are new to the plan. */
  readonly added: readonly StepId[];
  readonly answerFrom?: StepId;
  readonly reasoning?: string;
  /** The model's confidence in the draft. */
  readonly confidence?: number;
  readonly usage: Usage;
};

export type FailedDraft =
  | { readonly status: "invalid"; readonly issues: readonly Issue[]; readonly usage: Usage }
  | {
      readonly status: "model_failed";
      readonly message: string;
      readonly retryable: boolean;
      /** Whether the model server did not respond. */
      readonly unavailable?: true;
      readonly retryAfterMs?: number | undefined;
      readonly usage: Usage;
    };

export type WrittenDraft = CompleteDraft | FailedDraft;

/** Finishes a draft that has been read completely, and decides whether it is a plan. */
export function finishDraft(
  builder: StepsBuilder,
  {
    answerFrom: named,
    reasoning,
    confidence,
    size,
    usage,
  }: {
    answerFrom: string | undefined;
    reasoning: string | undefined;
    confidence?: number | undefined;
    /** How many steps the draft may have; any number when absent. */
    size?: DraftSize | undefined;
    usage: Usage;
  },
): WrittenDraft {
  builder.finish();
  // If the named step does not exist, the results are synthesized; the draft stays valid.
  const answerFrom = named === undefined ? undefined : builder.idOf(named);
  const { issues, steps, added } = builder;
  if (issues.length > 0) return { status: "invalid", issues, usage };
  if (steps.length === 0 && answerFrom === undefined) {
    const issue = { code: "no_steps", field: "steps", message: "wanted at least one step, got none" };
    return { status: "invalid", issues: [issue], usage };
  }
  const sizeIssues = sizeIssuesOf(size, steps);
  if (sizeIssues.length > 0) return { status: "invalid", issues: sizeIssues, usage };
  return {
    status: "complete",
    steps,
    added,
    ...(answerFrom === undefined ? {} : { answerFrom }),
    ...(reasoning === undefined ? {} : { reasoning: reasoning.slice(0, REASONING_CHARS_MAX) }),
    ...(confidence === undefined ? {} : { confidence }),
    usage,
  };
}

/** Takes the steps of a draft that is known as a whole, and finishes it. */
export function finishWhole(
  builder: StepsBuilder,
  { steps, answerFrom }: { readonly steps: readonly Json[]; readonly answerFrom: string | undefined },
  { size, usage }: { readonly size?: DraftSize | undefined; readonly usage: Usage },
): WrittenDraft {
  for (const [index, step] of steps.entries()) builder.take(step, index);
  return finishDraft(builder, { answerFrom, reasoning: undefined, size, usage });
}

/**
 * Turns a failed model call into a draft's end.
 *
 * @param received - The text received before the failure.
 * @throws Any error that is not a failure of a model.
 */
export function failedDraft(
  error: unknown,
  { sent, received }: { readonly sent: readonly { readonly content: string }[]; readonly received: string },
): FailedDraft {
  if (!(error instanceof TransientError || error instanceof PermanentError)) throw error;
  const prompt = sent.map(({ content }) => content).join("\n");
  return {
    status: "model_failed",
    message: describeError(error).slice(0, MESSAGE_CHARS_MAX),
    retryable: error instanceof TransientError,
    ...(error instanceof ModelUnavailableError
      ? { unavailable: true as const, retryAfterMs: error.retryAfterMs }
      : {}),
    usage: received === "" ? NO_USAGE : estimatedUsage(prompt, received),
  };
}

/** A broken stream reports no usage, and its price is unknown. */
function estimatedUsage(prompt: string, received: string): Usage {
  const [inputTokens, outputTokens] = [estimateTokens(prompt), estimateTokens(received)];
  return { modelCalls: 1, inputTokens, outputTokens, costUsd: null };
}
