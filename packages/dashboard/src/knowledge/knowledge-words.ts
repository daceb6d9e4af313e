/** The texts of the Facts tab. */

export const FACTS_TAB = {
  facts: "Facts",
  fact: "Fact",
  value: "Value",
  confidence: "Confidence",
  from: "From",
  showMoreLeft: (value: string | number) => `Show more (${value} left)`,
  openQuestions: "Open questions",
  leftOutForWant: (factsLeftOut: string | number) => `${factsLeftOut} left out for want of room or budget`,
  everythingThePlanKnows: "Everything the plan knows, as one page (continuity.md)",
  before: "Before",
  contradicted: "Contradicted",
  foundTimes: (claims: string | number) => `found ${claims} times`,
} as const;
