import type { StepId } from "../values/ids.ts";
import { insertionsIn } from "../arguments/own-words.ts";
import type { Step } from "./plan-language.ts";
import { withoutTemplates } from "./without-templates.ts";

/** A plan document with one step that has only the required fields. */
export type DirectPlan = {
  readonly steps: Pick<Step, "id" | "description" | "tool" | "args" | "dependsOn">[];
  readonly answerFrom: StepId;
};

const ANSWER = "answer" as StepId;

const ABOUT_CONTEXT = "Where it says {{…}}, insert the text from the material.";

/** The tool that makes one model call. */
export const WRITER = "model.write";

/**
 * The plan of the `direct` strategy: one `model.write` call, whose text is the answer.
 *
 * @param goalTemplate - The goal before other steps' outputs were inserted: these become the context of the call.
 * @param reason - Why an earlier answer was not good enough, if there was one.
 */
export function directPlan({
  goal,
  goalTemplate,
  constraints,
  reason,
}: {
  readonly goal: string;
  readonly goalTemplate?: string | undefined;
  readonly constraints: readonly string[];
  readonly reason?: string;
}): DirectPlan {
  const parts = [goalTemplate ?? goal];
  if (goalTemplate !== undefined) parts.push(ABOUT_CONTEXT);
  if (constraints.length > 0) {
    parts.push(["Follow these rules:", ...constraints.map((constraint) => `- ${constraint}`)].join("\n"));
  }
  if (reason !== undefined) parts.push(`An earlier answer was not sufficient: ${reason}`);
  const prompt = withoutTemplates(parts.join("\n\n"));
  const context = insertionsIn(goal, goalTemplate ?? "").map(({ reference, text }) => ({
    reference: withoutTemplates(reference),
    text: withoutTemplates(text),
  }));
  const args = context.length === 0 ? { prompt } : { prompt, context };
  const description = "Answer the goal with one model call";
  return {
    steps: [{ id: ANSWER, description, tool: WRITER, args, dependsOn: [] }],
    answerFrom: ANSWER,
  };
}
