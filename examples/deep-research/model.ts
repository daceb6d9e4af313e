/** Two searches by a strategy that the model writes, a gap that reflection finds, and an answer with its sources. */
import { judgementText, type ModelScript, planPieces } from "@planwright/testkit";

const write = (id: string, prompt: string, context?: object) => ({
  id,
  description: prompt,
  tool: "model.write",
  args: context === undefined ? { prompt } : { prompt, context },
});
const search = (id: string, query: object | string) => ({
  id,
  description: `Search for ${id}`,
  tool: "docs.search",
  args: { query, limit: 3 },
});

const first = {
  reasoning: "Analyse the question, turn it into searches, run them side by side.",
  steps: [
    write("analysis", "Name the aspects on which the question turns."),
    write("words-prices", "Write the search words for the prices.", { $ref: "analysis.output.text" }),
    write("words-quality", "Write the search words for the quality.", { $ref: "analysis.output.text" }),
    search("prices", { $ref: "words-prices.output.text" }),
    search("quality", { $ref: "words-quality.output.text" }),
  ],
};
const adapted = {
  reasoning: "Nothing says how long a tent is guaranteed to last.",
  steps: [search("warranty", "warranty of tents years")],
};

type Result = { readonly id: string; readonly output?: { readonly hits?: readonly Hit[] } };
type Hit = { readonly path: string; readonly snippet: string };

/** What the answer is made of, and where each of it is to be found. */
const FACTS = [
  ["prices", /Highpeak pricing: a two-person tent costs \d+/],
  ["prices", /Acme Corp pricing: a two-person tent costs \d+/],
  ["quality", /9 percent of its tents were returned in 2025/],
  ["warranty", /Tents and backpacks have a warranty of 5 years/],
] as const;

export const script: ModelScript = {
  plan: [() => planPieces(first), () => planPieces(adapted)],
  write({ blocks }) {
    const task = blocks.get("task") ?? "";
    if (task.includes("prices")) return "pricing two-person tent Acme Highpeak";
    return task.includes("quality")
      ? "quality tents returned weakness"
      : "Prices, quality, and how long it lasts.";
  },
  judgement({ blocks }) {
    const results = JSON.parse(blocks.get("results") ?? "[]") as Result[];
    if (!results.some(({ id }) => id === "warranty")) {
      return judgementText({
        decision: "revise",
        reason: "A gap: nothing says how long a tent is guaranteed to last.",
      });
    }
    const sentences = FACTS.map(([id, fact]) => {
      const hits = results.find((result) => result.id === id)?.output?.hits ?? [];
      const hit = hits.find(({ snippet }) => fact.test(snippet));
      return hit === undefined
        ? `${id} found nothing.`
        : `${fact.exec(hit.snippet)?.[0]} [${id}, ${hit.path}].`;
    });
    return judgementText({ text: sentences.join("\n"), sources: ["prices", "quality", "warranty"] });
  },
};
