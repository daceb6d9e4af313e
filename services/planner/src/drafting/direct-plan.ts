import type { JsonObject } from "@planwright/plan";

/** The tool that makes one model call. */
export const WRITER = "model.write";

const ANSWER = "answer";

/** The plan of a goal that one model call answers, as a model would write it. No model is asked. */
export function directPlan({
  goal,
  constraints,
  reason,
}: {
  readonly goal: string;
  readonly constraints: readonly string[];
  /** Why an earlier answer was not enough. */
  readonly reason?: string;
}): { readonly steps: readonly JsonObject[]; readonly answerFrom: string } {
  const parts = [goal];
  if (constraints.length > 0)
    parts.push(["Keep to this:", ...constraints.map((one) => `- ${one}`)].join("\n"));
  if (reason !== undefined) parts.push(`An earlier answer was not enough: ${reason}`);
  const step: JsonObject = {
    id: ANSWER,
    description: "Answer the goal with one model call",
    tool: WRITER,
    args: { prompt: parts.join("\n\n") },
  };
  return { steps: [step], answerFrom: ANSWER };
}
