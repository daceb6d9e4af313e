import { StepId } from "./ids.ts";
import type { Step } from "./plan-language.ts";

/** A plan document with one step, which has only what it must have. */
export type DirectPlan = {
  readonly steps: Pick<Step, "id" | "description" | "tool" | "args" | "dependsOn">[];
  readonly answerFrom: StepId;
};

const ANSWER = StepId.parse("answer");

/** The tool that makes one model call. */
export const WRITER = "model.write";

/**
 * The plan of the `direct` strategy: one `model.write` call, whose text is the answer.
 *
 * Double braces in the words of a person are pulled apart (`{{` becomes `{ {`), since the plan language would
 * take them for references.
 *
 * @param reason - Why an earlier answer was not enough, when there was one.
 */
export function directPlan({
  goal,
  constraints,
  reason,
}: {
  readonly goal: string;
  readonly constraints: readonly string[];
  readonly reason?: string;
}): DirectPlan {
  const parts = [goal];
  if (constraints.length > 0) {
    parts.push(["Keep to these rules:", ...constraints.map((constraint) => `- ${constraint}`)].join("\n"));
  }
  if (reason !== undefined) parts.push(`An earlier answer was not enough: ${reason}`);
  const prompt = parts.join("\n\n").replaceAll(/\{(?=\{)/g, "{ ");
  const description = "Answer the goal with one model call";
  return {
    steps: [{ id: ANSWER, description, tool: WRITER, args: { prompt }, dependsOn: [] }],
    answerFrom: ANSWER,
  };
}
