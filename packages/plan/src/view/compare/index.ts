/** Comparing plans and texts; free of schemas, so that a page may load it. */
export {
  comparePlans,
  type PlanComparison,
  type Change,
  type ComparedStep,
  type Figure,
} from "./compare-plans.ts";
export { diffLines, diffText, type TextPart } from "./diff-text.ts";
