/** The model's values for the actions of a tree search's round. */
import { type ActionValue, type Json, type KnownPlan, valuedActions } from "@planwright/plan";
import { type Asking, askForJson, readJson, type ReadReply, type ReplyFault } from "@planwright/shared/jobs";
import { strictSchemaOf } from "@planwright/shared/model";
import { z } from "zod";
import { valuesPrompt } from "../prompts/values-prompt.ts";

const REASON_CHARS_MAX = 2_000;

const Values = z.object({
  values: z.array(
    z.object({
      id: z.string(),
      value: z.number().describe("From 0 (a dead end) to 1 (the goal is reached)."),
      solved: z.boolean().describe("Whether it reaches the goal."),
      reason: z.string().describe("One sentence."),
    }),
  ),
});

export const VALUES_SCHEMA = strictSchemaOf(Values);

/** Values the actions of a round in one call, or in two if the first reply is at fault. */
export function askForValues(
  plan: KnownPlan,
  loaded: ReadonlyMap<string, Json>,
  { model, trace, signal }: Pick<Asking<never>, "model" | "trace" | "signal">,
): Promise<ActionValue[]> {
  return askForJson(model, {
    name: "values",
    schema: VALUES_SCHEMA,
    render: (issues) => valuesPrompt.render({ plan, loaded, issues }),
    read: (text) => readJson("values", Values, { text, take: (raw) => valuesOf(plan, raw) }),
    trace,
    signal,
  });
}

/** The values of the round's own actions; the first one counts for each. */
function valuesOf(plan: KnownPlan, raw: z.output<typeof Values>): ReadReply<ActionValue[]> {
  const said = new Map(raw.values.toReversed().map((value) => [value.id, value]));
  const issues: ReplyFault[] = [];
  const values = valuedActions(plan).flatMap(({ step }): ActionValue[] => {
    const one = said.get(step.id);
    if (one === undefined || !Number.isFinite(one.value)) {
      issues.push({ field: "values", message: `wanted a value of ${step.id}, got none` });
      return [];
    }
    const value = Math.min(1, Math.max(0, one.value));
    return [{ stepId: step.id, value, solved: one.solved, reason: one.reason.slice(0, REASON_CHARS_MAX) }];
  });
  return values.length === 0 ? { issues } : { issues, value: values };
}
