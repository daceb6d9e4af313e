/** Comparing plans and texts; free of schemas, so that a page may load it. */
export { comparePlans, type PlanComparison, type Change, type ComparedStep } from "./compare-plans.ts";
export type { Figure } from "./compare-figures.ts";
export { diffLines, diffText, type TextPart } from "./diff-text.ts";
