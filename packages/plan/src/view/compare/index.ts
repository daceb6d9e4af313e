/** Comparison of plans and texts; has no schemas, so that the dashboard can load it. */
export {
  comparePlans,
  type PlanComparison,
  type Change,
  type ComparedStep,
  type Figure,
} from "./compare-plans.ts";
export { diffLines, diffText, type TextPart } from "./diff-text.ts";
