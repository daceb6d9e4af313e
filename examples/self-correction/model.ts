/** The second step misses what was expected of it; the plan is revised with the issues and the suggestion. */
import { findingsText, type ModelScript, planPieces } from "@planwright/testkit";

const echo = (id: string, value: unknown, expectedOutput: string) => ({
  id,
  tool: "flow.echo",
  args: { value },
  expectedOutput,
});

export const script: ModelScript = {
  plan: [
    () =>
      planPieces({
        steps: [
          echo("figures", [10, 12, 15], "a list of figures"),
          echo("trend", "it is nice: {{figures.output}}", "a sentence that names the direction"),
        ],
        answerFrom: "trend",
      }),
    () =>
      planPieces({
        steps: [echo("direction", "sales rise: {{figures.output}}", "a sentence that names the direction")],
        answerFrom: "direction",
      }),
  ],
  step_review: ({ user }) =>
    user.includes("it is nice")
      ? findingsText({
          approved: false,
          score: 0.1,
          issues: ["No direction is named."],
          suggestion: "Say whether sales rise or fall.",
        })
      : findingsText({ score: 0.9 }),
};
