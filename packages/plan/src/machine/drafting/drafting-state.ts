/** The state of a plan's drafts and revisions, and how many revisions are left. */
import type { RevisionCause } from "../../events/draft-events.ts";
import type { ModelTries } from "../../events/model-events.ts";
import type { Issue } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import type { Strategy } from "../../language/plan-language.ts";
import type { SearchSettings } from "../../tree-search/search-settings.ts";
import type { SearchTree } from "../../tree-search/search-tree.ts";

/** The draft that is requested, being written or complete. */
export type Drafting = {
  /** 0 if the plan was submitted whole and nothing was drafted. */
  readonly number: number;
  /** `reviewing`: it is complete, and reviewed before it runs. */
  readonly phase: "delayed" | "requested" | "open" | "reviewing" | "sealed";
  /** The number of the revision that it writes; 0 for the first plan. */
  readonly revision: number;
  /** Why a revision was requested, and the step that caused it. */
  readonly cause?: RevisionCause;
  readonly reason?: string;
  readonly causedBy?: StepId;
  /** The issues of the previous draft. */
  readonly issues: readonly Issue[];
  readonly repairs: number;
  readonly interruptions: number;
  /** How many steps the draft has planned so far; absent if none. */
  readonly steps?: number;
  readonly strategy?: Strategy;
  readonly strategyReason?: string;
  /** Its tries on a model server that does not respond; kept across the drafts of one revision. */
  readonly tries?: ModelTries;
};

/** A cause of a revision, and the plan's `seq` when it arose. */
export type RevisionWanted = {
  readonly cause: RevisionCause;
  readonly reason: string;
  readonly stepId?: StepId;
  readonly seq: number;
};

/** The changes made by one revision. */
export type RevisionRecord = {
  readonly revision: number;
  readonly draft: number;
  readonly cause: RevisionCause;
  readonly reason: string;
  readonly causedBy?: StepId;
  readonly kept: readonly StepId[];
  readonly dropped: readonly StepId[];
  readonly added: readonly StepId[];
  readonly at: string;
};

/** Returns how many more times the plan can be revised. */
export function replansLeft({ goal, revisions }: RevisionsOfPlan): number {
  const used = revisions.filter(({ cause }) => countsAgainstLimit(cause)).length;
  return Math.max(0, goal.maxReplans - used);
}

type RevisionsOfPlan = {
  readonly goal: { readonly maxReplans: number };
  readonly revisions: readonly RevisionRecord[];
};

/** A wave follows the original plan, and a draft that has not run was not a plan yet: neither counts. */
export function countsAgainstLimit(cause: RevisionCause): boolean {
  return cause !== "wave" && cause !== "critique";
}

/** A tree search; see `search.ts`. */
export type Search = {
  readonly settings: SearchSettings;
  readonly tree: SearchTree;
  /** From the first to the current one, each with the node that it expands; absent for the root. */
  readonly rounds: readonly { readonly round: number; readonly leaf?: StepId }[];
  /** Whether the plan tries actions, has them valued, or answers from the best path. */
  readonly phase: "expanding" | "valuing" | "answering";
};
