/** The texts of the Facts tab. */

export const FACTS_TAB = {
  facts: "Facts",
  fact: "Fact",
  value: "Value",
  confidence: "Confidence",
  from: "From",
  openQuestions: "Open questions",
  omitted: (factsLeftOut: string | number) => `${factsLeftOut} omitted (size or budget limit)`,
  allOnOnePage: "All facts on one page (continuity.md)",
  before: "Before",
  contradicted: "Contradicted",
  foundTimes: (claims: string | number) => `found ${claims} times`,
} as const;
