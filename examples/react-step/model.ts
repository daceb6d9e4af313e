/** The loop searches, calculates, and finds that the plan lacks a step. */
import { judgementText, type ModelScript, planPieces } from "@planwright/testkit";

const first = {
  reasoning: "What the rules say depends on what is found, so one step looks around by itself.",
  steps: [
    {
      id: "rules",
      description: "Find the rules for returns",
      tool: "docs.search",
      args: { query: "returns refunds parcel", limit: 2 },
    },
    {
      id: "investigate",
      description: "Find out who pays return parcels, and how much 20 of them are",
      tool: "agent.react",
      args: {
        goal: "Find out who pays the return parcel, and what 20 parcels cost at 7 each.",
        tools: ["docs.search", "math.evaluate"],
        context: { $ref: "rules.output.hits[0].snippet" },
      },
    },
  ],
};

const second = {
  reasoning: "Faulty goods are paid by the shop: the two cases have to be told apart.",
  steps: [
    {
      id: "report",
      description: "Write the answer for both cases",
      tool: "model.write",
      args: { prompt: "Write the answer.", context: { $ref: "investigate.output.result" } },
    },
  ],
  answerFrom: "report",
};

const call = (thought: string, tool: string, args: object): string =>
  JSON.stringify({
    thought,
    tool,
    argsJson: JSON.stringify(args),
    result: null,
    requiresReplan: false,
    reason: null,
  });

export const script: ModelScript = {
  plan: ({ number }) => planPieces(number === 1 ? first : second),
  react_turn: [
    call("Who pays the parcel?", "docs.search", { query: "customer pays the return parcel", limit: 1 }),
    call("Now the cost.", "math.evaluate", { expression: "20 * 7" }),
    JSON.stringify({
      thought: "Faulty goods are another case.",
      tool: null,
      argsJson: null,
      result: "Customers pay 140 in all, unless the goods were faulty or wrong.",
      requiresReplan: true,
      reason: "Who pays depends on whether the goods were faulty: the answer has to tell both cases apart.",
    }),
  ],
  write: ({ blocks }) => `In short: ${(blocks.get("context") ?? "").trim()}`,
  judgement: judgementText({ text: "There is no answer.", status: "failed" }),
};
