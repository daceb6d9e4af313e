/** The controller searches first; what it does then is what the processor makes of the hits. */
import { judgementText, type ModelScript, planPieces } from "@planwright/testkit";

type Hit = { readonly path: string; readonly title: string };

const first = {
  reasoning: "Nobody knows yet which document it is.",
  steps: [
    {
      id: "search",
      description: "Search all documents",
      tool: "docs.search",
      args: { query: "warranty of tents, prices, returns, policy, product", limit: 30 },
    },
  ],
};

const second = {
  reasoning: "As the processor says: read the best match, then explain.",
  steps: [
    {
      id: "read",
      description: "Read the best match",
      tool: "docs.search",
      args: { query: "warranty tents backpacks years apparel kitchen equipment", limit: 1 },
    },
    {
      id: "explain",
      description: "Write a short explanation for the reader",
      tool: "model.write",
      args: { prompt: "Explain in one sentence.", context: { $ref: "read.output.hits" } },
    },
  ],
  answerFrom: "explain",
};

export const script: ModelScript = {
  plan: ({ number }) => planPieces(number === 1 ? first : second),
  state_patch({ blocks }) {
    const { hits } = JSON.parse(blocks.get("output") ?? "{}") as { hits: readonly Hit[] };
    const best = hits.find(({ title }) => title.includes("Warranty"));
    const fact = {
      key: "warranty_document",
      value: best?.path ?? "none",
      confidence: 0.9,
      source: best?.title ?? null,
    };
    return JSON.stringify({
      facts: [fact],
      openQuestions: [],
      answeredQuestions: [],
      replacePlan: {
        steps: ["Read the document with the best match", "Write a short explanation for the reader"],
        reason: "The search has found the document.",
      },
    });
  },
  write({ blocks }) {
    const [hit] = JSON.parse(blocks.get("context") ?? "[]") as { path: string; snippet: string }[];
    const years = /(?:Tents|tents)[^.]*?(\d+ years)/.exec(hit?.snippet ?? "")?.[1] ?? "not known";
    return `The warranty of a tent is ${years}, by ${hit?.path ?? "no document"}.`;
  },
  judgement: judgementText({ text: "There is no answer.", status: "failed" }),
};
