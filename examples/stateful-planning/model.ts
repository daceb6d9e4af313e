/** Five steps; what the third one finds makes the last two out of date. */
import { findingsText, type ModelScript, planPieces } from "@planwright/testkit";

const search = (id: string, description: string, query: string) => ({
  id,
  description,
  tool: "docs.search",
  args: { query, limit: 2 },
});
const write = (id: string, description: string, context: object) => ({
  id,
  description,
  tool: "model.write",
  args: { prompt: description, context },
});

const first = {
  reasoning: "Research, then synthesis, then the report.",
  steps: [
    search("competitors", "Research the competitors", "competitors of Acme Corp strength weakness"),
    search("market", "Analyze the market's prices", "pricing tent backpack jacket"),
    {
      ...search("feedback", "Gather what customers complain about", "returned faulty quality refund"),
      expectedOutput: "Passages that say what customers complain about",
    },
    write("synthesis", "Synthesize prices and competitors", { market: { $ref: "market.output.hits" } }),
    write("report", "Report what to do about prices", { synthesis: { $ref: "synthesis.output.text" } }),
  ],
  answerFrom: "report",
};

const adapted = {
  reasoning: "Customers complain about quality, not about prices: look at the warranty before the report.",
  steps: [
    search("warranty", "Look up what the warranty covers", "warranty years covers faults"),
    write("quality-report", "Report what to do about quality", {
      feedback: { $ref: "feedback.output.hits" },
      warranty: { $ref: "warranty.output.hits" },
    }),
  ],
  answerFrom: "quality-report",
};

type Hit = { readonly snippet: string };

export const script: ModelScript = {
  plan: [() => planPieces(first), (call) => planPieces(adapted, () => call.hold("last-step"))],
  step_review: findingsText({
    score: 0.9,
    replan: true,
    suggestion: "Customers complain about quality: plan for that instead of prices.",
  }),
  write({ blocks }) {
    const context = JSON.parse(blocks.get("context") ?? "{}") as Readonly<Record<string, readonly Hit[]>>;
    const lines = Object.entries(context).map(
      ([about, hits]) => `${about}: ${hits[0]?.snippet.split("\n")[0]}`,
    );
    return [blocks.get("task")?.trim(), ...lines].join("\n");
  },
};
