/** The strategy of a plan. Only this file chooses by a strategy's name; everything else asks the strategy. */
import { DATA_CONFLICT, DATA_DRYRUN } from "../../code-plan/code-plan.ts";
import type { Strategy } from "../../language/plan-language.ts";
import type { KnownPlan } from "../plan-state.ts";
import { treeSearch } from "./search.ts";
import { type DraftingStrategy, wholePlans } from "./strategy.ts";

/** The plan is the same whatever the goal. */
const byRule: DraftingStrategy = { ...wholePlans, asksModel: false, isReviewed: false };

/** A program that failed, or whose changes came too late, is written again; one that a user rejected is not. */
const programs: DraftingStrategy = {
  ...wholePlans,
  revisesAfter: ({ step }, { code }) => step.tool === DATA_DRYRUN || code === DATA_CONFLICT,
};

const STRATEGIES: Readonly<Partial<Record<Strategy, DraftingStrategy>>> = {
  direct: byRule,
  summarize: byRule,
  "tree-search": treeSearch,
  code: programs,
};

/** The strategy of that name; without a name, the one of plans that a model drafts as a whole. */
export function strategyNamed(name: Strategy | undefined): DraftingStrategy {
  return (name && STRATEGIES[name]) ?? wholePlans;
}

/** The strategy by which a plan is drafted now. */
export function strategyOf({
  goal,
  drafting,
  search,
}: Pick<KnownPlan, "goal" | "drafting" | "search">): DraftingStrategy {
  // A search remains one, whatever a later draft says. A program that was submitted is rewritten like one that was drafted.
  if (search !== undefined) return treeSearch;
  return strategyNamed(goal.strategy === "code" ? "code" : drafting.strategy);
}

/** A plan with only the steps that it is answered from. */
export function onAnswerSteps<Plan extends Pick<KnownPlan, "steps" | "goal" | "drafting" | "search">>(
  plan: Plan,
): Plan {
  return { ...plan, steps: strategyOf(plan).answerSteps(plan) };
}
