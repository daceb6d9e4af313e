import type { DraftRequest } from "./draft-request.ts";

/** Words by which a goal wants a result checked before it is used, or another way when one fails. */
const WANTED =
  /\b(?:verif\w+|validat\w+|double-?check\w*|check(?:s|ed|ing)?|tests?|tested|fall ?-?backs?|fall back|otherwise|alternatives?|instead|fails?)\b/i;

/**
 * Whether the model is told of steps that verify others and of steps that stand in for others: only where the goal or
 * a constraint asks for either, since every word of a prompt costs. A model that writes them unasked is understood.
 */
export function offersTies({
  goal,
  constraints,
  strategy,
}: Pick<DraftRequest, "goal" | "constraints" | "strategy">): boolean {
  return strategy !== "tree-search" && [goal, ...constraints].some((text) => WANTED.test(text));
}
