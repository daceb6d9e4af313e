/** How the strategies differ: how plans are drafted, what follows from their results, and what answers them. */
import type { StepError } from "../../events/step-events.ts";
import type { KnownPlan, NextPlan, StepEntry } from "../plan-state.ts";
import { replansLeft } from "./drafting-state.ts";

/** One way to draft plans. The functions that take the next state are parts of transitions. */
export type DraftingStrategy = {
  /** Whether a model writes the drafts. If not, they follow from the goal alone. */
  readonly asksModel: boolean;
  /** Whether drafts can be reviewed before they run. */
  readonly isReviewed: boolean;
  /** Whether a draft is a whole plan, which can name its answer and be revised. If not, it is one round of several. */
  readonly draftsWholePlans: boolean;
  /** Begins a draft that a planner has opened. */
  readonly begin: (next: NextPlan) => void;
  /** Takes in the steps of a complete draft before they run. */
  readonly takeIn: (next: NextPlan, draft: number) => void;
  /** Continues once every step is settled. Returns false if the plan can be answered. */
  readonly proceed: (next: NextPlan) => boolean;
  /** Continues without a draft that could not be written. Returns false if the plan has nothing to continue with. */
  readonly proceedUndrafted: (next: NextPlan) => boolean;
  /** How many more revisions or rounds the plan can have. */
  readonly triesLeft: (plan: Pick<KnownPlan, "goal" | "revisions" | "search">) => number;
  /** Whether the reflector may reject the results, which leads to more planning. */
  readonly mayReject: (plan: KnownPlan) => boolean;
  /** Continues after the reflector has rejected the results. Returns false if only a revision could continue the plan. */
  readonly proceedRejected: (next: NextPlan, reason: string) => boolean;
  /** Explains that nothing more is planned, although the results were rejected for this reason. */
  readonly exhausted: (plan: Pick<KnownPlan, "goal">, reason: string) => string;
  /** Whether a step's failure causes a revision even if the submission does not request that. */
  readonly revisesAfter: (entry: StepEntry, error: StepError) => boolean;
  /** What the reflector has to provide now: the values of a round's actions, or a review of the results. */
  readonly synthesis: (plan: KnownPlan) => "values" | "judgement";
  /** The steps that the plan's answer is based on. */
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
