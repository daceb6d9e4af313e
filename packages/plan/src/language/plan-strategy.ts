/** How a plan was created, for display. */
import { z } from "zod";
import { Strategy } from "./plan-language.ts";

/** A strategy, or `submitted` for a predefined plan. `auto`: the strategy has not been chosen yet. */
export const PlanStrategy = z.enum([...Strategy.options, "submitted"]);
export type PlanStrategy = z.infer<typeof PlanStrategy>;

/**
 * Returns the strategy to show for a plan.
 *
 * @param asked - The strategy of the submission; `auto` has no effect if a plan came with it.
 * @param drafted - The strategy of the last draft; absent when there was none.
 */
export function planStrategy({
  asked,
  drafted,
  plan,
}: {
  readonly asked: Strategy;
  readonly drafted?: Strategy | undefined;
  readonly plan?: object | undefined;
}): PlanStrategy {
  if (drafted !== undefined) return drafted;
  return asked === "auto" && plan !== undefined ? "submitted" : asked;
}
