/** What a good model would write: the plan, its critique, the plan of the sub-goal, two comparisons and their critiques. */
import { findingsText, type ModelScript, planPieces } from "@planwright/testkit";

const SUB_GOAL = "Find the pricing of vendor C";

const search = (id: string, vendor: string) => ({
  id,
  description: `Find ${vendor}'s pricing`,
  tool: "docs.search",
  args: { query: `Vendor ${vendor} pricing plans`, limit: 1 },
});

const plan = {
  steps: [
    search("a", "A"),
    search("b", "B"),
    {
      id: "c",
      description: "Find C's pricing, by a plan of its own",
      tool: "plan.run",
      args: { goal: SUB_GOAL, plan: null },
    },
    {
      id: "compare",
      description: "Compare the three",
      tool: "model.write",
      args: {
        prompt: "Compare.",
        context: { a: { $ref: "a.output" }, b: { $ref: "b.output" }, c: { $ref: "c.output" } },
      },
      successCriteria: "Says in what the three differ",
      review: { maxIterations: 2 },
    },
    {
      id: "file",
      description: "File the comparison",
      tool: "files.write",
      args: { path: "comparison.md", content: "{{compare.output.text}}" },
    },
  ],
  answerFrom: "compare",
};

export const script: ModelScript = {
  plan: ({ blocks }) => {
    const isSub = blocks.get("goal")?.trim() === SUB_GOAL;
    return planPieces(isSub ? { steps: [search("search", "C")], answerFrom: "search" } : plan);
  },
  plan_review: findingsText({ score: 0.9, confidence: 0.8 }),
  write: ["A, B and C differ.", "A, B and C differ in price."],
  step_review: [
    findingsText({ approved: false, score: 0.4, issues: ["It does not say in what they differ."] }),
    findingsText({ score: 0.9 }),
  ],
};
