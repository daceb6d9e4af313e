/** Six steps one after another; each writes from what the one before it wrote. */
import { type ModelScript, planPieces } from "@planwright/testkit";

const STEPS = [
  ["requirements", "Gather the requirements"],
  ["schema", "Design the data schema"],
  ["api", "Create the API endpoints"],
  ["frontend", "Build the frontend components"],
  ["tests", "Integrate and test"],
] as const;

const plan = {
  reasoning: "Each step needs what the one before it has settled.",
  steps: [
    ...STEPS.map(([id, description], index) => {
      const before = STEPS[index - 1]?.[0];
      const context = before === undefined ? {} : { context: { $ref: `${before}.output.text` } };
      return { id, description, tool: "model.write", args: { prompt: `${description}.`, ...context } };
    }),
    {
      id: "deploy",
      description: "Deploy",
      tool: "files.write",
      args: { path: "deploy/dashboard.md", content: "{{tests.output.text}}" },
    },
  ],
  answerFrom: "tests",
};

export const script: ModelScript = {
  plan: () => planPieces(plan),
  write: ({ blocks }) =>
    `${(blocks.get("task") ?? "").trim()} After: ${blocks.get("context")?.split(" After:")[0] ?? "nothing"}`,
};
