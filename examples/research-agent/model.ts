/** The first draft names an unknown action; the second one keeps to search, analyze and synthesize. */
import { judgementText, type ModelScript, planPieces } from "@planwright/testkit";

const VENDORS = ["A", "B", "C"];

const searches = VENDORS.map((name) => ({
  id: `search-${name.toLowerCase()}`,
  description: `Search for how vendor ${name} charges`,
  tool: "docs.search",
  args: { query: `vendor ${name} pricing per month`, limit: 1 },
}));
const findings = Object.fromEntries(
  VENDORS.map((name) => [name, { $ref: `search-${name.toLowerCase()}.output.hits[0].snippet` }]),
);

const unknown = {
  id: "interview",
  description: "Interview customers of the vendors",
  tool: "people.interview",
  args: { question: "What do you pay?" },
};
const analyze = {
  id: "analyze",
  description: "Analyze what a team of five would pay",
  tool: "model.write",
  args: { prompt: "Analyze: what would a team of five pay each vendor?", context: findings },
};
const synthesize = {
  id: "synthesize",
  description: "Synthesize the findings into a report",
  tool: "model.write",
  args: {
    prompt: "Synthesize the findings into a well-structured research report.",
    context: { findings, analysis: { $ref: "analyze.output.text" } },
  },
};

export const script: ModelScript = {
  plan: ({ number }) =>
    planPieces({
      steps: number === 1 ? [...searches, unknown, analyze] : [...searches, analyze, synthesize],
      answerFrom: number === 1 ? "analyze" : "synthesize",
    }),
  write: ({ blocks }) =>
    (blocks.get("task") ?? "").startsWith("Analyze")
      ? "Five people pay least at the vendor that charges by use."
      : `# Report\n\n${blocks.get("context") ?? ""}`,
  judgement: judgementText({ text: "There is no answer.", status: "failed" }),
};
