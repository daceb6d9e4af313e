/** The state of a step's reviews. */
import type { ResolvedOutput } from "../../arguments/resolve-references.ts";
import type { ModelTries } from "../../events/model-events.ts";
import type { StepReviewed } from "../../events/review-events.ts";
import type { StepOutput } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import type { Settled } from "../step/step-state.ts";

/** Its output waits for a review; no worker is occupied. */
export type Reviewing = Settled & {
  readonly status: "reviewing";
  readonly output: StepOutput;
  /** How often a review of this attempt was requested, from 1. */
  readonly review: number;
  readonly tries?: ModelTries;
  /**
   * What it waits for: budget, before its review can be requested, or, once the review is over or not required, the
   * steps that verify it or the end of its draft, which can still plan such a step.
   */
  readonly for?: "budget" | "verification" | "draft";
  readonly failedItems?: number;
  /** Its output, or that of one of its items, ends early. */
  readonly truncated?: true;
  readonly partial?: string;
  readonly list?: readonly ResolvedOutput[];
};

export type Succeeded = Settled & {
  readonly status: "succeeded";
  readonly output: StepOutput;
  /** Of a repeated step: how many items failed. */
  readonly failedItems?: number;
  /** Its output, or that of one of its items, ends early. */
  readonly truncated?: true;
  /** Why its output is only a part of what it should deliver; absent if nothing is missing. */
  readonly partial?: string;
  /** The values that references into its list of results resolve to; absent if `output` holds them all. */
  readonly list?: readonly ResolvedOutput[];
};

export type ReviewRecord = Pick<
  StepReviewed["data"],
  "attempt" | "verdict" | "score" | "confidence" | "issues" | "suggestion" | "message"
>;

/** The best of the rejected outputs. */
export type BestDraft = { readonly score: number; readonly state: Succeeded };

/** The review of the last output, for the next attempt. */
export type Feedback = {
  readonly output: StepOutput;
  readonly issues: readonly string[];
  readonly suggestion: string;
};

type Keeping = {
  readonly state: { readonly status: string; readonly attempt?: number } | Reviewing;
  readonly best?: BestDraft | undefined;
};

/**
 * Returns the output to keep when a step is stopped or cannot be improved; undefined if there is none. The step still
 * counts as being at its latest attempt.
 */
export function keptOf({ state, best }: Keeping): Succeeded | undefined {
  if (best !== undefined) return { ...best.state, attempt: state.attempt ?? best.state.attempt };
  return isReviewing(state) ? acceptedAs(state) : undefined;
}

function isReviewing(state: Keeping["state"]): state is Reviewing {
  return state.status === "reviewing";
}

/** Returns the same output as that of a succeeded step. */
export function acceptedAs({ review: _review, for: _for, tries: _tries, ...state }: Reviewing): Succeeded {
  return { ...state, status: "succeeded" };
}

/** Returns the name under which a review's reserve is held. */
export function reviewHolder(of: { stepId: StepId; attempt: number; review: number }): string {
  return `${of.stepId}/${of.attempt}/review/${of.review}`;
}
