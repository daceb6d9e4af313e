/** Two sprints: the second one's plan is asked for with the results of the first. */
import { type ModelScript, planPieces, type ScriptedPlan } from "@planwright/testkit";

const RESEARCH: ScriptedPlan = {
  steps: [{ id: "audience", tool: "flow.echo", args: { value: "campers under thirty" } }],
  answerFrom: "audience",
};

const SPRINT_1: ScriptedPlan = {
  steps: [
    { id: "1", tool: "plan.run", args: { goal: "Research who buys tents in autumn." } },
    { id: "2", tool: "flow.echo", args: { value: "Speak to {{1.output.text}}" } },
    { id: "3a", tool: "flow.wait", args: { ms: 400, value: "three posts, 120 visits" }, dependsOn: ["2"] },
    { id: "3b", tool: "flow.wait", args: { ms: 400, value: "one newsletter, 45 visits" }, dependsOn: ["2"] },
  ],
  answerFrom: null,
};

/** Spends on what has worked, by the results that it is shown. */
const sprint2 = (results: string): ScriptedPlan => {
  const best = results.includes("120 visits") ? "3a" : "3b";
  return {
    steps: [{ id: "4", tool: "flow.echo", args: { value: `More of {{${best}.output}}` } }],
    answerFrom: "4",
  };
};

export const script: ModelScript = {
  plan: ({ blocks }) => {
    if (blocks.get("goal")?.includes("Research") === true) return planPieces(RESEARCH);
    const results = blocks.get("results");
    return planPieces(results === undefined ? SPRINT_1 : sprint2(results));
  },
};
