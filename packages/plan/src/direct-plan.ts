import { StepId } from "./ids.ts";
import type { PlanDocument } from "./plan-language.ts";

const ANSWER = StepId.parse("answer");

/**
 * The plan of the `direct` strategy: one `model.write` call, whose text is the answer.
 *
 * Double braces in the words of a person are pulled apart (`{{` becomes `{ {`), since the plan language would
 * take them for references.
 */
export function directPlan(goal: string, constraints: readonly string[]): PlanDocument {
  const rules = constraints.map((constraint) => `- ${constraint}`);
  const prompt = rules.length === 0 ? goal : `${goal}\n\nKeep to these rules:\n${rules.join("\n")}`;
  return {
    steps: [
      {
        id: ANSWER,
        description: "Answer the goal with one model call",
        tool: "model.write",
        args: { prompt: prompt.replaceAll(/\{(?=\{)/g, "{ ") },
        dependsOn: [],
      },
    ],
    answerFrom: ANSWER,
  };
}
