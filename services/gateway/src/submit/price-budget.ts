import type { Agents, Budget, BudgetLimits, PlanDocument, StoredBudget } from "@planwright/plan";
import type { ModelPrices } from "@planwright/shared/service";
import type { FieldIssue } from "@planwright/api";
import { Problem } from "../http/problem.ts";

/** The models that a plan may call, and their prices. */
export type ModelOffer = {
  /** The models of every role. */
  readonly configured: readonly string[];
  /** The model that drafts plans. */
  readonly planner: string;
  readonly prices: ModelPrices;
};

/**
 * The budget as stored in the log: with the price by which dollars are reserved.
 *
 * @throws {Problem} `price_unknown` when dollars are limited and the price of a model is unknown.
 */
export function priceBudget(
  budget: BudgetLimits & Pick<Budget, "onExhausted">,
  {
    plan,
    agents,
    models: { configured, prices },
  }: {
    readonly plan: PlanDocument | undefined;
    readonly agents: Agents;
    readonly models: Omit<ModelOffer, "planner">;
  },
): StoredBudget {
  if (budget.usd === undefined) return budget;
  const named = plan?.steps.flatMap(({ model }) => model ?? []) ?? [];
  // The planner can choose any of them.
  const ofAgents = [...agents.types.values()].flatMap(({ model }) => model ?? []);
  const models = [...new Set([...configured, ...named, ...ofAgents])];
  const unknown = models.filter((model) => !Object.hasOwn(prices, model));
  if (unknown.length > 0) {
    const message = `MODEL_PRICES has no price for ${unknown.join(", ")}, so a budget in dollars cannot be enforced`;
    const issue: FieldIssue = { field: "budget.usd", message };
    throw new Problem("price_unknown", `${issue.field}: ${message}`, { issues: [issue] });
  }
  const known = models.flatMap((model) => prices[model] ?? []);
  // Each maximum separately: output is far more expensive, and prompts are most of what plans use.
  const input = Math.max(...known.map(({ inputUsdPerMillion }) => inputUsdPerMillion)) / 1_000_000;
  const output = Math.max(...known.map(({ outputUsdPerMillion }) => outputUsdPerMillion)) / 1_000_000;
  return { ...budget, usdPerToken: { input, output } };
}
