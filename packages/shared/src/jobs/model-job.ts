/** What a piece of work is that a model does for a plan: its message, its call, its record. */
import type {
  CritiqueWork,
  DraftWork,
  FactsWork,
  Forfeit,
  JoinWork,
  KnownPlan,
  MODEL_UNAVAILABLE,
  ModelWork,
  PlanTrace,
  ReviewWork,
  StepId,
  Usage,
  JsonSchema,
} from "@planwright/plan";
import type { Logger } from "pino";
import type { z } from "zod";
import type { Bus } from "../bus/connect-bus.ts";
import type { Publish } from "../bus/publisher.ts";
import { PermanentError, describeError, TransientError } from "../errors.ts";
import type { ModelClient, ModelReply } from "../model/model-client.ts";
import { type PatienceOptions, ModelUnavailableError } from "../model/call/model-patience.ts";
import type { WorkContext } from "../queue/consume-work.ts";
import type { Span, SpanAttributes, SpanOptions, Telemetry, TraceParent } from "../telemetry/index.ts";
import type { WorkStops } from "./watch-work.ts";
import { parseStructured } from "../model/reply/parse-structured.ts";
import { roomAfter, truncationOf } from "../model/reply/truncation.ts";
import type { RenderedPrompt } from "../prompt/define-prompt.ts";

export type JobDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly model: ModelClient;
  readonly telemetry: Telemetry;
  readonly stops: WorkStops;
  readonly workerId: string;
  readonly now: () => Date;
  readonly log: Logger;
};

/** Work as it is known when its message cannot be read: what its subject says. */
export type Untraced<Work> = Omit<Work, "trace">;

/** Work that a model does for a plan. */
export type JobWork =
  | Untraced<CritiqueWork>
  | Untraced<DraftWork>
  | Untraced<FactsWork>
  | Untraced<JoinWork>
  | Untraced<ReviewWork>;

/** Why nothing came of the work. `dead_lettered`: it was delivered too often, or could not be read. */
export type JobFailure = {
  readonly cause:
    | "interrupted"
    | "allowance_spent"
    | "model_failed"
    | "unusable"
    | "dead_lettered"
    | typeof MODEL_UNAVAILABLE;
  readonly message: string;
  /** How long the model server asked to be left alone, in milliseconds. */
  readonly retryAfterMs?: number;
};

/** What came of the work. */
export type JobResult<Work extends JobWork, Outcome> = {
  readonly work: Work;
  /** As it was when the work began. */
  readonly plan: KnownPlan;
  readonly outcome: Outcome | undefined;
  /** Set when there is no outcome. */
  readonly failure: JobFailure | undefined;
  readonly used: { readonly usage: Usage; readonly forfeited?: Forfeit };
  /** A call was refused, or a reply cut off, for want of allowance. */
  readonly isSpent: boolean;
  /** The span to record it under; absent when the work was dead-lettered. */
  readonly trace?: TraceParent;
};

export type Traced = { readonly trace: PlanTrace };

export type Asking<Work extends JobWork> = {
  readonly work: Work;
  readonly plan: KnownPlan;
  readonly context: WorkContext;
  /** Counts what is used, and keeps to the allowance. */
  readonly model: ModelClient;
  readonly span: Span;
  readonly trace: TraceParent;
  /** Aborts when the worker has to stop, and when the work is no longer wanted. */
  readonly signal: AbortSignal;
};

export type ModelJob<Work extends JobWork, Outcome> = {
  readonly Schema: z.ZodType<Work & Traced>;
  /** Without ids, for the span's name. */
  readonly destination: string;
  readonly consumer: string;
  readonly attributes: (work: Work) => SpanAttributes;
  /** A span around the work, below the one of its message; none when absent. */
  readonly span?: (
    work: Work,
    plan: KnownPlan,
    stepSpans: ReadonlyMap<StepId, TraceParent>,
  ) => SpanOptions & { readonly name: string };
  /** The message if its worker stopped before it was done. */
  readonly interrupted: string;
  /** The work under which failed calls are recorded; they are not when absent. */
  readonly modelWork?: (work: Work) => ModelWork;
  /** What earlier deliveries have used up of the limits for failing calls. */
  readonly tried?: (plan: KnownPlan, work: Work) => Pick<PatienceOptions, "tried" | "deliveries">;
  /** Set when `ask` itself claims the work in the log, so that it knows whether another worker had it. */
  readonly claims?: true;
  /**
   * Does the work.
   *
   * @throws {JobFailedError} When the model fails, or what it says cannot be used.
   * @throws {ModelUnavailableError} When the model server does not answer.
   * @throws {UnwantedError | LostWorkError} When the log says so.
   */
  readonly ask: (asking: Asking<Work>) => Promise<Outcome>;
  /**
   * Stores the result, unless there is one.
   *
   * @returns Attributes for the span.
   */
  readonly record: (result: JobResult<Work, Outcome>) => Promise<SpanAttributes>;
};

/** The model has failed, or what it says cannot be used: no other delivery will do better. */
export class JobFailedError extends PermanentError {
  override readonly name = "JobFailedError";
  readonly why: "model_failed" | "unusable";

  constructor(why: "model_failed" | "unusable", message: string, options?: ErrorOptions) {
    super(message, { ...options, code: why });
    this.why = why;
  }
}

/** The plan no longer waits for the work, or another worker does it. */
export class UnwantedError extends Error {
  override readonly name: string = "UnwantedError";
}

/** Another worker had begun the work and stopped: what it used is unknown. */
export class LostWorkError extends Error {
  override readonly name = "LostWorkError";
}

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
