/** A planner that knows no JSON, as LangChain's plan-and-execute asks it. */
import { judgementText, type ModelScript } from "@planwright/testkit";

const LIST = `Here is a plan for the objective:

1. Look up Django (tool: docs.search, query: "Django suits drawback", limit: 1)

2. Look up FastAPI (tool: docs.search, query: "FastAPI suits drawback", limit: 1)


3. Compare the frameworks by what they suit and where they fall short

4. Write the market analysis report

`;

export const script: ModelScript = {
  plan: LIST,
  write: ({ blocks }) => `Done: ${(blocks.get("task") ?? "").split("\n")[0] ?? ""}`,
  judgement: judgementText({ text: "The report is written.", sources: ["s4"] }),
};
