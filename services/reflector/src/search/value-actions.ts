/** Has a model say what the actions of a tree search's round are worth. */
import {
  type ActionValue,
  addUsage,
  type Json,
  JsonSchema,
  type KnownPlan,
  NO_USAGE,
  type Usage,
  valuedActions,
} from "@planwright/plan";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import {
  type ModelClient,
  type ModelReply,
  ModelUnavailableError,
  parseStructured,
  planUsage,
  roomAfter,
  truncationOf,
} from "@planwright/shared/model";
import type { TraceParent } from "@planwright/shared/telemetry";
import { z } from "zod";
import { refusalOf } from "../judge/judge.ts";
import type { JudgementIssue } from "../judge/judgement.ts";
import { valuesPrompt } from "./values-prompt.ts";

const REASON_CHARS_MAX = 2_000;
/** The first reply, and one more with what was wrong with it. */
const REPLIES_MAX = 2;

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

export type ValuedActions = {
  /** Of the actions that were valued; empty when no usable reply came. */
  readonly values: readonly ActionValue[];
  /** Why there are none. */
  readonly cause?: string;
  readonly usage: Usage;
};

type Asking = {
  readonly loaded: ReadonlyMap<string, Json>;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
};

/**
 * Values the actions of a round, in one call; in two when the first reply is at fault.
 *
 * @throws {ModelUnavailableError} When the model server does not answer.
 * @throws The signal's reason when it aborts.
 */
export async function valueActions(
  model: ModelClient,
  plan: KnownPlan,
  asking: Asking,
): Promise<ValuedActions> {
  let usage = NO_USAGE;
  let issues: readonly JudgementIssue[] = [];
  let reply: ModelReply | undefined;
  for (let count = 1; count <= REPLIES_MAX; count++) {
    try {
      reply = await ask(model, { plan, issues, after: reply }, asking);
    } catch (error) {
      if (error instanceof TransientError && count > 1) return unvalued(describeError(error), usage);
      if (!(error instanceof PermanentError) || error instanceof ModelUnavailableError) throw error;
      return unvalued(describeError(error), usage);
    }
    usage = addUsage(usage, planUsage(reply.usage));
    const refusal = refusalOf(reply);
    if (refusal !== undefined) return unvalued(refusal, usage);
    const read = readValues(reply, plan);
    if (read.values.length > 0 && read.issues.length === 0) return { values: read.values, usage };
    // The second time, what there is has to do.
    if (count === REPLIES_MAX && read.values.length > 0) return { values: read.values, usage };
    issues = read.issues;
  }
  const why = issues.map(({ field, message }) => `${field}: ${message}`).join("; ");
  return unvalued(`the model's replies could not be used: ${why}`, usage);
}

function ask(
  model: ModelClient,
  {
    after,
    ...about
  }: {
    readonly plan: KnownPlan;
    readonly issues: readonly JudgementIssue[];
    readonly after: ModelReply | undefined;
  },
  { loaded, trace, signal }: Asking,
): Promise<ModelReply> {
  const prompt = valuesPrompt.render({ ...about, loaded });
  const outputSchema = { name: "values", schema: valuesSchema() };
  return model.complete({ ...prompt, ...roomAfter(after), outputSchema, trace, signal });
}

/** Every field required, nothing else allowed: what strict structured output accepts. */
export function valuesSchema(): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(Values, { io: "output" });
  return JsonSchema.parse(schema);
}

/** What can be made of a reply: values of the round's own actions, the first of each. */
function readValues(
  reply: ModelReply,
  plan: KnownPlan,
): { readonly values: readonly ActionValue[]; readonly issues: readonly JudgementIssue[] } {
  const truncation = truncationOf(reply);
  if (truncation !== undefined) return { values: [], issues: [{ field: "values", message: truncation }] };
  const parsed = parseStructured("values", Values, reply.text);
  if (!parsed.ok) {
    return { values: [], issues: parsed.issues.map(({ path, message }) => ({ field: path, message })) };
  }
  const said = new Map(parsed.value.values.toReversed().map((value) => [value.id, value]));
  const issues: JudgementIssue[] = [];
  const values = valuedActions(plan).flatMap(({ step }): ActionValue[] => {
    const one = said.get(step.id);
    if (one === undefined || !Number.isFinite(one.value)) {
      issues.push({ field: "values", message: `wanted a value of ${step.id}, got none` });
      return [];
    }
    const value = Math.min(1, Math.max(0, one.value));
    return [{ stepId: step.id, value, solved: one.solved, reason: one.reason.slice(0, REASON_CHARS_MAX) }];
  });
  return { values, issues };
}

function unvalued(cause: string, usage: Usage): ValuedActions {
  return { values: [], cause: cause.slice(0, REASON_CHARS_MAX), usage };
}
