/** Two researchers look, one of them in a separate loop; a tool adds up; a writer writes. */
import { judgementText, type ModelScript, planPieces } from "@planwright/testkit";

const plan = {
  reasoning: "Looking up is the researcher's work, the text is the writer's.",
  steps: [
    {
      id: "a",
      description: "Look up how vendor A charges",
      tool: "docs.search",
      args: { query: "vendor A pricing", limit: 1 },
      agent: "researcher",
    },
    {
      id: "bc",
      description: "Find out how vendors B and C charge",
      tool: "agent.react",
      args: { goal: "Find out how the vendors B and C charge.", tools: ["docs.search"] },
      agent: "researcher",
    },
    { id: "sum", description: "Count the vendors", tool: "math.evaluate", args: { expression: "1 + 2" } },
    {
      id: "item",
      description: "Write the newsletter item",
      tool: "model.write",
      args: {
        prompt: "Write the item about {{sum.output.value}} vendors.",
        context: { a: { $ref: "a.output.hits[0].snippet" }, bc: { $ref: "bc.output.result" } },
      },
      agent: "writer",
    },
  ],
  answerFrom: "item",
};

const turn = (thought: string, query: string | null, result: string | null): string =>
  JSON.stringify({
    thought,
    tool: query === null ? null : "docs.search",
    argsJson: query === null ? null : JSON.stringify({ query, limit: 1 }),
    result,
    requiresReplan: false,
    reason: null,
  });

export const script: ModelScript = {
  plan: () => planPieces(plan),
  react_turn: [
    turn("First B.", "vendor B pricing", null),
    turn("Now C.", "vendor C pricing", null),
    turn("That is all.", null, "B charges by seat, C by use."),
  ],
  write: ({ blocks }) =>
    `Three vendors, three ways to charge. ${(blocks.get("context") ?? "").slice(0, 200)}`,
  judgement: judgementText({ text: "There is no answer.", status: "failed" }),
};
