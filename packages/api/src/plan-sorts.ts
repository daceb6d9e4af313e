/** The fields by which plan lists can be sorted. Separate from the schemas, because the page loads it. */
export const PLAN_SORTS = [
  "started",
  "duration",
  "cost",
  "tokens",
  "steps",
  "status",
  "strategy",
  "goal",
  "submittedBy",
] as const;
