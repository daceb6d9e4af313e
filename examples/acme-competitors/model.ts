/** Plan and execute: a strong model plans, a small one writes; each step sees only what it depends on. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const plan = {
  reasoning: "First who the competitors are, then their prices, then the report.",
  steps: [
    {
      id: "competitors",
      description: "Identify the top 3 competitors of Acme Corp",
      tool: "docs.search",
      args: { query: "three competitors matter most to Acme Corp", limit: 1 },
    },
    {
      id: "pricing",
      description: "Find the pricing of each competitor",
      tool: "docs.search",
      args: { query: "pricing tent backpack down jacket Highpeak Trailhouse Summit", limit: 4 },
    },
    {
      id: "comparison",
      description: "Structure the comparison",
      tool: "model.write",
      args: { prompt: "Compare the prices.", context: { $ref: "pricing.output.hits" } },
    },
    {
      id: "report",
      description: "Create the summary report",
      tool: "model.write",
      args: { prompt: "Create the summary report.", context: { $ref: "comparison.output.text" } },
    },
  ],
  answerFrom: "report",
};

export const script: ModelScript = {
  plan: () => planPieces(plan),
  write: ({ blocks, number }) =>
    number === 1
      ? `Comparison: ${(blocks.get("context") ?? "").match(/[A-Z][a-z&]+ pricing[^.]*\./g)?.join(" ") ?? "no prices found"}`
      : `Report. ${(blocks.get("context") ?? "").trim()}`,
};
