/** The texts of the page that compares two plans. */
import type { ComparedStep } from "@planwright/plan/compare";

export const FIELD_NAMES: Readonly<Record<string, string>> = {
  args: "Arguments",
  dependsOn: "Dependencies",
  when: "Condition",
  forEach: "For each",
  failedItems: "Failed items",
  successCriteria: "Success criteria",
  expectedOutput: "Expected",
  compensate: "Compensation",
  timeoutMs: "Time limit (ms)",
  answerFrom: "Answer from",
  attempts: "Attempts",
};

export const KIND_NAMES: Readonly<Record<ComparedStep["kind"], string>> = {
  changed: "Different",
  "only-left": "Left only",
  "only-right": "Right only",
  same: "The same",
};

/** Follows the number of steps of a kind. */
export const COUNTED_KINDS: typeof KIND_NAMES = {
  changed: "different",
  "only-left": "only on the left",
  "only-right": "only on the right",
  same: "the same",
};

export const CHANGES = {
  lineByLine: (field: string | number) => `${field}, line by line`,
  none: "none",
  left: "Left",
  right: "Right",
} as const;

export const COMPARED_STEPS = {
  steps: "Steps",
  neitherPlanHasSteps: "Neither plan has steps yet.",
  showThat: (same: string | number) => `Show ${same} that`,
  is: "is",
  are: "are",
  theSame: "the same",
  moved: ", same work, different id",
  left: "Left",
  right: "Right",
  carriedOver: "carried over",
  noSuchStep: "no such step",
  outputSame: "Output: same.",
  outputAlike: "Output: appears equal (type, size and beginning match).",
  outputOnly: "Output: only",
  onRight: "right",
  onLeft: "left",
  outputDifferent: "Output: different",
  outputLineDiff: "Output line diff",
} as const;

export const COMPARE_LINK = {
  compareWithOriginal: "compare with original",
} as const;

export const COMPARE_PAGE = {
  comparePlans: "Compare plans",
  whichPlan: "Which plan?",
  chooseAnotherLeftPlan: "Choose another left plan",
  samePlan: "Both sides show the same plan",
  chooseOther: "Choose a different plan for the right side.",
  chooseAnotherRightPlan: "Choose another right plan",
  planNotFound: (id: string | number) => `Plan ${id} not found`,
  cannotLoadPlan: (id: string | number) => `Cannot load plan ${id}`,
  loadingPlans: "Loading plans",
  compareWith: (view: string | number) => `Compare “${view}” with`,
  compareItWith: "Compare it with",
} as const;

export const COMPARISON = {
  left: "Left",
  right: "Right",
  forkOf: (side: "left" | "right") => `The ${side} plan is a fork of the other, starting at step`,
  swapSides: "Swap sides",
  planDetails: "Plan details",
  answer: (outcome: string) => `Answer: ${outcome}`,
  noneYet: "none yet",
  theSame: "the same",
  different: "different",
  dataDiffers: "Their data differs too.",
  noDifferences: "No differences except times and metrics.",
} as const;

export const FIGURES_TABLE = {
  metrics: "Metrics",
  metricsOfBothPlans: "Metrics of both plans",
  metric: "Metric",
  criticalPathLeft: "Critical path, left",
  criticalPathRight: "Critical path, right",
  left: "Left",
  right: "Right",
  difference: "Difference",
  noneYet: "none yet",
} as const;

export const PLAN_CHOOSER = {
  forkedFrom: "Forked from",
  reRunOf: "Re-run of",
  parentPlan: "Parent plan",
  search: "Search by text or ID",
  withThisId: "Plan with this ID",
  loading: (name: string | number) => `Loading: ${name}`,
  found: "Found",
  sameGoal: "Plans with the same goal",
  latestPlans: "Latest plans",
} as const;
