/** Chooses the strategy of a plan. Only this file checks a strategy's name; all other code queries the strategy. */
import { DATA_CONFLICT, DATA_DRYRUN } from "../../code-plan/code-plan.ts";
import type { Strategy } from "../../language/plan-language.ts";
import type { KnownPlan } from "../plan-state.ts";
import { treeSearch } from "./search.ts";
import { type DraftingStrategy, wholePlans } from "./strategy.ts";

/** The plan is the same for every goal. */
const byRule: DraftingStrategy = { ...wholePlans, asksModel: false, isReviewed: false };

/** A program that failed, or whose changes came too late, is rewritten; one that a user rejected is not. */
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

/** Returns the strategy of that name. Without a name, a model drafts the plan as a whole. */
export function strategyNamed(name: Strategy | undefined): DraftingStrategy {
  return (name && STRATEGIES[name]) ?? wholePlans;
}

/** Returns the strategy by which a plan is drafted now. */
export function strategyOf({
  goal,
  drafting,
  search,
}: Pick<KnownPlan, "goal" | "drafting" | "search">): DraftingStrategy {
  // A search remains a search, whatever a later draft says. A submitted program is rewritten like a drafted one.
  if (search !== undefined) return treeSearch;
  return strategyNamed(goal.strategy === "code" ? "code" : drafting.strategy);
}

/** Returns the plan with only the steps that its answer is based on. */
export function onAnswerSteps<Plan extends Pick<KnownPlan, "steps" | "goal" | "drafting" | "search">>(
  plan: Plan,
): Plan {
  return { ...plan, steps: strategyOf(plan).answerSteps(plan) };
}
