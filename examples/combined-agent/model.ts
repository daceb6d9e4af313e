/** What a good model would write: the plan of the sub-goal, a comparison, its critique, and the comparison again. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const search = {
  id: "search",
  description: "Find C's pricing",
  tool: "docs.search",
  args: { query: "Vendor C pricing plans", limit: 1 },
};

export const script: ModelScript = {
  plan: () => planPieces({ steps: [search], answerFrom: "search" }),
  write: ({ blocks }) => {
    const task = blocks.get("task")?.trim();
    if (task === "Compare.") return "A, B and C differ.";
    return task === "Criticise." ? "Say how." : "A, B and C differ in price.";
  },
};
