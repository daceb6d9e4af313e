/** The seven steps of a market analysis, with what each has to achieve. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const search = (id: string, description: string, query: string, dependsOn: string[] = []) => ({
  id,
  description,
  tool: "docs.search",
  args: { query, limit: 3 },
  dependsOn,
  successCriteria: "At least one passage was found",
});

const write = (id: string, description: string, context: Record<string, unknown>) => ({
  id,
  description,
  tool: "model.write",
  args: { prompt: description, context },
  successCriteria: "Every statement rests on the context",
});

const hits = (id: string) => ({ $ref: `${id}.output.hits` });
const text = (id: string) => ({ $ref: `${id}.output.text` });

const plan = {
  reasoning:
    "Competitors and prices can be looked up at the same time, strengths once it is known whose; the synthesis needs all of them.",
  steps: [
    search("competitors", "Identify the key competitors", "competitors of Acme Corp"),
    search("pricing", "Gather the competitors' prices", "pricing tent backpack jacket"),
    search("strengths", "Gather strengths and weaknesses", "strength weakness delivery quality", [
      "competitors",
    ]),
    write("trends", "Describe the trends that the passages show", {
      a: hits("competitors"),
      b: hits("strengths"),
    }),
    write("comparison", "Compare the prices in a table", { pricing: hits("pricing") }),
    write("synthesis", "Synthesize trends and comparison", {
      trends: text("trends"),
      comparison: text("comparison"),
    }),
    write("report", "Write the report", { synthesis: text("synthesis") }),
  ],
  answerFrom: "report",
};

export const script: ModelScript = {
  plan: () => planPieces(plan),
  write: ({ blocks }) =>
    `${(blocks.get("task") ?? "").trim()}: ${(blocks.get("context") ?? "").trim().slice(0, 300)}`,
};
