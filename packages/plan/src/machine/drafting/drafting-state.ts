/** The state of a plan's drafts and revisions, and how many revisions are left. */
import type { RevisionCause } from "../../events/draft-events.ts";
import type { ModelTries } from "../../events/model-events.ts";
import type { Issue } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import type { Strategy } from "../../language/plan-language.ts";
import type { SearchSettings } from "../../tree-search/search-settings.ts";
import type { SearchTree } from "../../tree-search/search-tree.ts";

/** The draft that is wanted, being written or complete. */
export type Drafting = {
  /** 0 when the plan was submitted and nothing was drafted. */
  readonly number: number;
  /** `reviewing`: it is complete, and judged before it runs. */
  readonly phase: "delayed" | "requested" | "open" | "reviewing" | "sealed";
  /** The revision that it writes; 0 for the first plan. */
  readonly revision: number;
  /** Why a revision was asked for, and the step that gave cause for it. */
  readonly cause?: RevisionCause;
  readonly reason?: string;
  readonly causedBy?: StepId;
  /** What was wrong with the draft before. */
  readonly issues: readonly Issue[];
  readonly repairs: number;
  readonly interruptions: number;
  /** How many steps the draft has planned so far; none when absent. */
  readonly steps?: number;
  readonly strategy?: Strategy;
  readonly strategyReason?: string;
  /** How far it has come in its limits for a model server that does not answer; kept over drafts of one revision. */
  readonly tries?: ModelTries;
};

/** Something that gave cause for a revision, and the plan's `seq` when it did. */
export type RevisionWanted = {
  readonly cause: RevisionCause;
  readonly reason: string;
  readonly stepId?: StepId;
  readonly seq: number;
};

/** What one revision changed. */
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

/** How often the plan may still be revised. */
export function replansLeft({ goal, revisions }: RevisionsOfPlan): number {
  const used = revisions.filter(({ cause }) => countsAgainstLimit(cause)).length;
  return Math.max(0, goal.maxReplans - used);
}

type RevisionsOfPlan = {
  readonly goal: { readonly maxReplans: number };
  readonly revisions: readonly RevisionRecord[];
};

/** The next wave was planned for, and a draft that has not run was no plan yet. */
export function countsAgainstLimit(cause: RevisionCause): boolean {
  return cause !== "wave" && cause !== "critique";
}

/** A tree search; see `search.ts`. */
export type Search = {
  readonly settings: SearchSettings;
  readonly tree: SearchTree;
  /** From the first to the current one, each with the node that it expands; none for the root. */
  readonly rounds: readonly { readonly round: number; readonly leaf?: StepId }[];
  /** Whether the plan tries actions, has them valued, or is answered from the best path. */
  readonly phase: "expanding" | "valuing" | "answering";
};
