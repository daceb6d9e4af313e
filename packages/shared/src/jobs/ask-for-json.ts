/** A call whose reply is to be JSON of a given shape, repeated once when the reply is at fault. */
import type { JsonSchema } from "@planwright/plan";
import type { z } from "zod";
import { describeError, PermanentError, TransientError } from "../errors.ts";
import type { ModelClient, ModelReply } from "../model/model-client.ts";
import { ModelUnavailableError } from "../model/call/model-patience.ts";
import { parseStructured } from "../model/reply/parse-structured.ts";
import { roomAfter, truncationOf } from "../model/reply/truncation.ts";
import type { RenderedPrompt } from "../prompt/define-prompt.ts";
import type { TraceParent } from "../telemetry/index.ts";
import { JobFailedError } from "./model-job.ts";

/** What is wrong with a reply. */
export type ReplyFault = { readonly field: string; readonly message: string };

/** What a reply says: the value may be usable in spite of its faults. */
export type ReadReply<Value> = { readonly issues: readonly ReplyFault[]; readonly value?: Value };

/** How often a model is called before its replies count as unusable. */
const ASKED_MAX = 2;
const SHOWN_CHARS_MAX = 300;

export type JsonAsking<Value> = {
  /** Of the schema, so that the model's server can distinguish the calls. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** The prompt, with what was wrong with the last reply. */
  readonly render: (issues: readonly ReplyFault[]) => RenderedPrompt;
  readonly read: (text: string) => ReadReply<Value>;
  /** Whether faults other than a reply that was cut off are worth another call; default true. */
  readonly repairs?: boolean;
  /** What replies without a usable value are good for, the latest first. */
  readonly makeDo?: (replies: readonly ModelReply[]) => Value;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
};

/**
 * Asks a model for a value; once more, with what was wrong, when its reply is at fault. Then the best that there is has to do: the
 * second call may fail when the first reply can be used in spite of its faults.
 *
 * @throws {JobFailedError} When the model fails or declines, or its replies cannot be used.
 * @throws {ModelUnavailableError} When the model server does not answer.
 * @throws The signal's reason when it aborts.
 */
export async function askForJson<Value>(model: ModelClient, asking: JsonAsking<Value>): Promise<Value> {
  const { repairs = true } = asking;
  const replies: ModelReply[] = [];
  const values: Value[] = [];
  let issues: readonly ReplyFault[] = [];
  try {
    while (replies.length < ASKED_MAX) {
      const reply = await ask(model, asking, { issues, after: replies[0] });
      replies.unshift(reply);
      const truncation = truncationOf(reply);
      const read: ReadReply<Value> =
        truncation === undefined ? asking.read(reply.text) : { issues: [{ field: "", message: truncation }] };
      issues = read.issues;
      if (read.value !== undefined) {
        if (issues.length === 0) return read.value;
        values.unshift(read.value);
      }
      if (!repairs && truncation === undefined) break;
    }
  } catch (error) {
    const isOfModel = error instanceof PermanentError || error instanceof TransientError;
    if (!isOfModel || asking.signal.aborted || (values.length === 0 && asking.makeDo === undefined))
      throw error;
    if (replies.length === 0) throw error;
  }
  const [best] = values;
  if (best !== undefined) return best;
  if (asking.makeDo !== undefined) return asking.makeDo(replies);
  const faults = issues.map(({ field, message }) => (field === "" ? message : `${field}: ${message}`));
  throw new JobFailedError("unusable", `the model's replies could not be used: ${faults.join("; ")}`);
}

/** @throws {JobFailedError} When the model fails, or declines. */
async function ask<Value>(
  model: ModelClient,
  { name, schema, render, trace, signal }: JsonAsking<Value>,
  { issues, after }: { readonly issues: readonly ReplyFault[]; readonly after: ModelReply | undefined },
): Promise<ModelReply> {
  const request = { ...render(issues), ...roomAfter(after), outputSchema: { name, schema }, trace, signal };
  const reply = await model.complete(request).catch((cause: unknown) => {
    if (!(cause instanceof PermanentError) || cause instanceof ModelUnavailableError) throw cause;
    throw new JobFailedError("model_failed", describeError(cause));
  });
  const { finishReason, text } = reply;
  if (finishReason === "stop" || finishReason === "length") return reply;
  const what =
    finishReason === "content_filter"
      ? "the model's reply was filtered"
      : `the model declined: ${text.slice(0, SHOWN_CHARS_MAX)}`;
  throw new JobFailedError("unusable", what);
}

/** Reads a reply as JSON of the given shape. Never throws. */
export function readJson<Schema extends z.ZodType, Value>(
  name: string,
  Schema: Schema,
  { text, take }: { readonly text: string; readonly take: (raw: z.output<Schema>) => ReadReply<Value> },
): ReadReply<Value> {
  const parsed = parseStructured(name, Schema, text);
  if (parsed.ok) return take(parsed.value);
  return { issues: parsed.issues.map(({ path, message }) => ({ field: path, message })) };
}
