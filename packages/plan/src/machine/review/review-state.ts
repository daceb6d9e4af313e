/** What is kept of the judgements of a step. */
import type { ResolvedOutput } from "../../arguments/resolve-references.ts";
import type { ModelTries } from "../../events/model-events.ts";
import type { StepReviewed } from "../../events/review-events.ts";
import type { StepOutput } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import type { Settled } from "../step/step-state.ts";

/** Its output waits to be judged; no worker is held. */
export type Reviewing = Settled & {
  readonly status: "reviewing";
  readonly output: StepOutput;
  /** How often a judgement of this attempt was asked for, from 1. */
  readonly review: number;
  readonly tries?: ModelTries;
  /**
   * What it waits for before its review can be requested. When the review is over or not required: the steps that
   * verify it, or the end of its draft, which may still plan such a step.
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
  /** Of a step that ran for each of a list: how many failed. */
  readonly failedItems?: number;
  /** Its output, or that of one of its items, ends early. */
  readonly truncated?: true;
  /** Why its output is only a part of what it was to deliver; absent when nothing is missing. */
  readonly partial?: string;
  /** What references into its list of results stand for; absent when `output` says all. */
  readonly list?: readonly ResolvedOutput[];
};

export type ReviewRecord = Pick<
  StepReviewed["data"],
  "attempt" | "verdict" | "score" | "confidence" | "issues" | "suggestion" | "message"
>;

/** The best of the drafts that were rejected. */
export type BestDraft = { readonly score: number; readonly state: Succeeded };

/** What the judge said of the last draft, for the next one. */
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
 * What of a step's work is worth keeping when it is stopped or cannot be made better; undefined when there is nothing.
 * The step still counts as having come as far as it has.
 */
export function keptOf({ state, best }: Keeping): Succeeded | undefined {
  if (best !== undefined) return { ...best.state, attempt: state.attempt ?? best.state.attempt };
  return isReviewing(state) ? acceptedAs(state) : undefined;
}

function isReviewing(state: Keeping["state"]): state is Reviewing {
  return state.status === "reviewing";
}

/** The same output, as that of a step that is done. */
export function acceptedAs({ review: _review, for: _for, tries: _tries, ...state }: Reviewing): Succeeded {
  return { ...state, status: "succeeded" };
}

/** The name under which a judgement's reserve is held. */
export function reviewHolder(of: { stepId: StepId; attempt: number; review: number }): string {
  return `${of.stepId}/${of.attempt}/review/${of.review}`;
}
