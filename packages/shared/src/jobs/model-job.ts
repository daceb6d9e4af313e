/** A piece of work that a model does for a plan: its message, its call, its result. */
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

/** Work as far as its subject identifies it, when its message cannot be read. */
export type Untraced<Work> = Omit<Work, "trace">;

/** Work that a model does for a plan. */
export type JobWork =
  | Untraced<CritiqueWork>
  | Untraced<DraftWork>
  | Untraced<FactsWork>
  | Untraced<JoinWork>
  | Untraced<ReviewWork>;

/** Why the work has no outcome. `dead_lettered`: it was delivered too often, or could not be parsed. */
export type JobFailure = {
  readonly cause:
    | "interrupted"
    | "allowance_spent"
    | "model_failed"
    | "unusable"
    | "dead_lettered"
    | typeof MODEL_UNAVAILABLE;
  readonly message: string;
  /** The delay requested by the model server, in milliseconds. */
  readonly retryAfterMs?: number;
};

/** The result of the work. */
export type JobResult<Work extends JobWork, Outcome> = {
  readonly work: Work;
  /** The plan when the work began. */
  readonly plan: KnownPlan;
  readonly outcome: Outcome | undefined;
  /** Set when there is no outcome. */
  readonly failure: JobFailure | undefined;
  readonly used: { readonly usage: Usage; readonly forfeited?: Forfeit };
  /** Whether a call was refused or a reply cut off because the allowance was used up. */
  readonly isSpent: boolean;
  /** The span of the result; absent when the work was dead-lettered. */
  readonly trace?: TraceParent;
};

export type Traced = { readonly trace: PlanTrace };

export type Asking<Work extends JobWork> = {
  readonly work: Work;
  readonly plan: KnownPlan;
  readonly context: WorkContext;
  /** Counts the usage, and enforces the allowance. */
  readonly model: ModelClient;
  readonly span: Span;
  readonly trace: TraceParent;
  /** Aborts when the worker has to stop, and when the work is no longer needed. */
  readonly signal: AbortSignal;
};

export type ModelJob<Work extends JobWork, Outcome> = {
  readonly Schema: z.ZodType<Work & Traced>;
  /** Without ids, for the span's name. */
  readonly destination: string;
  readonly consumer: string;
  readonly attributes: (work: Work) => SpanAttributes;
  /** A span around the work, a child of its message's span; none when absent. */
  readonly span?: (
    work: Work,
    plan: KnownPlan,
    stepSpans: ReadonlyMap<StepId, TraceParent>,
  ) => SpanOptions & { readonly name: string };
  /** The message for work whose worker stopped before it was done. */
  readonly interrupted: string;
  /** The work under which failed calls are recorded; when absent, they are not recorded. */
  readonly modelWork?: (work: Work) => ModelWork;
  /** How much of the limits for failed calls earlier deliveries have used up. */
  readonly tried?: (plan: KnownPlan, work: Work) => Pick<PatienceOptions, "tried" | "deliveries">;
  /** Set when `ask` claims the work in the log itself, and so finds out whether another worker had it. */
  readonly claims?: true;
  /**
   * Does the work.
   *
   * @throws {JobFailedError} When the model fails, or its reply cannot be used.
   * @throws {ModelUnavailableError} When the model server does not answer.
   * @throws {UnwantedError | LostWorkError} When the log shows it.
   */
  readonly ask: (asking: Asking<Work>) => Promise<Outcome>;
  /**
   * Stores the result, unless the log already has one.
   *
   * @returns Attributes for the span.
   */
  readonly record: (result: JobResult<Work, Outcome>) => Promise<SpanAttributes>;
};

/** The model failed, or its reply cannot be used: another delivery would fail too. */
export class JobFailedError extends PermanentError {
  override readonly name = "JobFailedError";
  readonly why: "model_failed" | "unusable";

  constructor(why: "model_failed" | "unusable", message: string, options?: ErrorOptions) {
    super(message, { ...options, code: why });
    this.why = why;
  }
}

/** The plan no longer waits for the work, or another worker is doing it. */
export class UnwantedError extends Error {
  override readonly name: string = "UnwantedError";
}

/** Another worker had begun the work and stopped: its usage is unknown. */
export class LostWorkError extends Error {
  override readonly name = "LostWorkError";
}

/** A fault in a reply. */
export type ReplyFault = { readonly field: string; readonly message: string };

/** The content of a reply: the value may be usable in spite of its faults. */
export type ReadReply<Value> = { readonly issues: readonly ReplyFault[]; readonly value?: Value };

/** Calls per value before the model's replies count as unusable. */
const ASKED_MAX = 2;
const SHOWN_CHARS_MAX = 300;

export type JsonAsking<Value> = {
  /** The schema's name, so that the model's server can distinguish the calls. */
  readonly name: string;
  readonly schema: JsonSchema;
  /** Renders the prompt, with the faults of the last reply. */
  readonly render: (issues: readonly ReplyFault[]) => RenderedPrompt;
  readonly read: (text: string) => ReadReply<Value>;
  /** Whether faults other than truncation are worth another call; default true. */
  readonly repairs?: boolean;
  /** Derives a value from replies without a usable one, the latest first. */
  readonly makeDo?: (replies: readonly ModelReply[]) => Value;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
};

/**
 * Asks a model for a value; repeats the call once, with the faults, when its reply has some. After that the best value counts:
 * the second call can fail when the first reply is usable in spite of its faults.
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
