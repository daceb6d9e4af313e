/** What tells the strategies apart: how plans are drafted, what follows from their results, and what answers them. */
import type { StepError } from "../../events/step-events.ts";
import type { KnownPlan, NextPlan, StepEntry } from "../plan-state.ts";
import { replansLeft } from "./drafting-state.ts";

/** One way to draft plans. The functions that are given the next state are parts of transitions. */
export type DraftingStrategy = {
  /** Whether a model writes the drafts. If not, they follow from the goal alone. */
  readonly asksModel: boolean;
  /** Whether a reviewer may judge a draft before it runs. */
  readonly isReviewed: boolean;
  /** Whether a draft is a whole plan, which may name its answer and be revised. If not, it is one round of several. */
  readonly draftsWholePlans: boolean;
  /** Begins a draft, which a planner has opened. */
  readonly begin: (next: NextPlan) => void;
  /** Takes in the steps of a complete draft before they run. */
  readonly takeIn: (next: NextPlan, draft: number) => void;
  /** Continues once every step is settled. Returns false when the plan can be answered. */
  readonly proceed: (next: NextPlan) => boolean;
  /** Continues without the draft that could not be made. Returns false when the plan has nothing to continue with. */
  readonly proceedUndrafted: (next: NextPlan) => boolean;
  /** How many more revisions or rounds the plan may have. */
  readonly triesLeft: (plan: Pick<KnownPlan, "goal" | "revisions" | "search">) => number;
  /** Whether the reflector may reject the results, so that more is planned. */
  readonly mayReject: (plan: KnownPlan) => boolean;
  /** Continues after the reflector has rejected the results. Returns false when only a revision could. */
  readonly proceedRejected: (next: NextPlan, reason: string) => boolean;
  /** Says that nothing more is planned, though the results were rejected for this reason. */
  readonly exhausted: (plan: Pick<KnownPlan, "goal">, reason: string) => string;
  /** Whether a step's failure has the plan revised even if the submission does not request that. */
  readonly revisesAfter: (entry: StepEntry, error: StepError) => boolean;
  /** What the reflector is asked for now: the values of a round's actions, or a judgement of the results. */
  readonly synthesis: (plan: KnownPlan) => "values" | "judgement";
  /** The steps that the plan is answered from. */
  readonly answerSteps: (plan: Pick<KnownPlan, "steps" | "search">) => KnownPlan["steps"];
};

/** A model drafts the plan as a whole; revisions replace what has not run. */
export const wholePlans: DraftingStrategy = {
  asksModel: true,
  isReviewed: true,
  draftsWholePlans: true,
  begin: () => undefined,
  takeIn: () => undefined,
  proceed: () => false,
  proceedUndrafted: () => false,
  triesLeft: replansLeft,
  mayReject: (plan) => replansLeft(plan) > 0,
  proceedRejected: () => false,
  exhausted: ({ goal }, reason) => `max replans exceeded (${goal.maxReplans}): ${reason}`,
  revisesAfter: () => false,
  synthesis: () => "judgement",
  answerSteps: ({ steps }) => steps,
};
