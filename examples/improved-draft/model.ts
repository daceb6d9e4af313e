/** A draft that forgets one of two vendors, its critique, and the improved draft, which keeps what was right. */
import { findingsText, type ModelScript, planPieces } from "@planwright/testkit";

const search = (id: string, vendor: string) => ({
  id,
  description: `Find the prices of ${vendor}`,
  tool: "docs.search",
  args: { query: `${vendor} pricing plans`, limit: 1 },
});
const compare = (context: Record<string, unknown>) => ({
  id: "compare",
  description: "Compare the prices",
  tool: "model.write",
  args: { prompt: "Compare the prices.", context },
});
const a = { $ref: "a.output" };
const b = { $ref: "b.output" };

export const script: ModelScript = {
  plan: [
    () => planPieces({ steps: [search("a", "Vendor A"), compare({ a })], answerFrom: "compare" }),
    () =>
      planPieces({
        steps: [search("a", "Vendor A"), search("b", "Vendor B"), compare({ a, b })],
        answerFrom: "compare",
      }),
  ],
  plan_review: [
    findingsText({
      approved: false,
      score: 0.3,
      confidence: 0.9,
      issues: [
        "The prices of vendor B are never looked up, so that step compare has nothing to compare with.",
      ],
      suggestion: "Search for vendor B too, and pass both results to step compare.",
    }),
  ],
  write: "A is cheaper than B for small teams.",
};
