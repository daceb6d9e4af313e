import { Worker } from "node:worker_threads";
import { TransientError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { Problem } from "../http/problem.ts";
import type { OwnTrace } from "./own-spans.ts";
import { type KeptFigures, NOTHING_KEPT, type Sender } from "./trace-store.ts";
import type { FieldIssue, ProblemCode } from "@planwright/api";
import type { OtlpFormat } from "./otlp-answer.ts";
import type { OtlpEncoding } from "./unpack-body.ts";

/** The size of the thread's young generation, in MiB: the data it creates is either kept or short-lived. */
const YOUNG_MIB = 24;
/** The maximum total size of bodies that have not been read yet. */
const UNREAD_BYTES_MAX = 64 * 1024 * 1024;
const NOTHING: KeptTrace = { spans: "[]", dropped: 0, evicted: false };

export type Traces = AsyncDisposable & {
  /**
   * Accepts an OTLP request.
   *
   * @throws {Problem} `malformed_json`, `malformed_protobuf`, `body_too_large` (unpacked), `invalid_request`; `overloaded` when
   * too much has not been read yet.
   */
  add(request: OtlpBody): Promise<Added>;
  get(plan: OwnTrace): Promise<KeptTrace>;
  /** Removes a plan's spans, and ignores those still to arrive. */
  forget(plan: OwnTrace): Promise<void>;
  readonly figures: KeptFigures;
  /** When spans started to be kept. */
  readonly since: Date;
};

/**
 * Keeps the most recent spans, in a separate thread; if the thread is lost, so are the spans.
 *
 * @param options.unreadBytesMax - Default 64 MiB.
 */
export function keepTraces({
  log,
  unreadBytesMax = UNREAD_BYTES_MAX,
  now = () => new Date(),
}: {
  readonly log: Logger;
  readonly unreadBytesMax?: number;
  readonly now?: () => Date;
}): Traces {
  const thread = askTraceThread(log);
  const since = now();
  let unreadBytes = 0;
  return {
    since,
    async add({ body, ...request }) {
      const bytes = body.byteLength;
      if (unreadBytes + bytes > unreadBytesMax) {
        throw new Problem("overloaded", "The gateway received more spans than it can read; try again.", {
          retryAfterS: 1,
        });
      }
      unreadBytes += bytes;
      try {
        // A copy whose ownership can be transferred: a buffer may share its memory with others.
        const own = new Uint8Array(body);
        const outcome = await thread.ask({ kind: "add", ...request, body: own }, [own.buffer]);
        if (outcome.kind === "added") return outcome;
        throw outcome.kind === "refused"
          ? problemOf(outcome)
          : new TypeError("unexpected reply of the trace thread");
      } finally {
        unreadBytes -= bytes;
      }
    },
    async get(plan) {
      if (!thread.isRunning) return NOTHING;
      const outcome = await thread.ask({ kind: "get", ...plan });
      return outcome.kind === "spans" ? outcome : NOTHING;
    },
    async forget(plan) {
      if (thread.isRunning) await thread.ask({ kind: "forget", ...plan });
    },
    get figures() {
      return thread.figures;
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}

function problemOf({ code, message, issues }: Refusal): Problem {
  return new Problem(code, message, issues === undefined ? {} : { issues });
}

type TraceThread = AsyncDisposable & {
  /** @throws {TransientError} When the thread ends before it answers. */
  ask(question: TraceQuestion, transfer?: ArrayBuffer[]): Promise<TraceOutcome>;
  readonly isRunning: boolean;
  /** As of its last answer. */
  readonly figures: KeptFigures;
};

/** The thread starts with the first question, and restarts with the next one after it was lost. */
function askTraceThread(log: Logger): TraceThread {
  const waiting = new Map<number, PromiseWithResolvers<TraceOutcome>>();
  let thread: Worker | undefined;
  let asked = 0;
  let figures = NOTHING_KEPT;

  const failAll = (message: string, cause?: unknown): void => {
    for (const { reject } of waiting.values()) reject(new TransientError(message, { cause }));
  };

  const start = (): Worker => {
    const started = new Worker(new URL("./trace-thread.ts", import.meta.url), {
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MIB },
    });
    started.unref();
    started.on("message", (reply: TraceReply) => {
      ({ figures } = reply);
      waiting.get(reply.id)?.resolve(reply.outcome);
    });
    const lost = (reason: unknown): void => {
      if (thread !== started) return;
      thread = undefined;
      figures = NOTHING_KEPT;
      log.error({ err: reason }, "traces lost: their thread ended");
      failAll("the traces cannot be read", reason);
    };
    started.on("error", lost);
    started.on("exit", (code) => lost(new Error(`the thread ended with ${code}`)));
    return started;
  };

  return {
    async ask(question, transfer = []) {
      thread ??= start();
      asked += 1;
      const id = asked;
      const reply = Promise.withResolvers<TraceOutcome>();
      waiting.set(id, reply);
      thread.postMessage({ id, question } satisfies TraceRequest, transfer);
      try {
        return await reply.promise;
      } finally {
        waiting.delete(id);
      }
    },
    get isRunning() {
      return thread !== undefined;
    },
    get figures() {
      return figures;
    },
    async [Symbol.asyncDispose]() {
      const stopping = thread;
      thread = undefined;
      await stopping?.terminate();
      failAll("the gateway is stopping");
    },
  };
}

/** The body of an OTLP request, as received. */
export type OtlpBody = {
  readonly body: Uint8Array;
  readonly format: OtlpFormat;
  readonly encoding: OtlpEncoding;
  readonly sender: Sender;
};

export type TraceQuestion =
  | ({ readonly kind: "add" } & OtlpBody)
  | ({ readonly kind: "get" | "forget" } & OwnTrace);

export type TraceRequest = { readonly id: number; readonly question: TraceQuestion };

export type TraceOutcome =
  | ({ readonly kind: "added" } & Added)
  | ({ readonly kind: "spans" } & KeptTrace)
  | { readonly kind: "forgotten" }
  | ({ readonly kind: "refused" } & Refusal);

export type Refusal = {
  readonly code: ProblemCode;
  readonly message: string;
  readonly issues: readonly FieldIssue[] | undefined;
};

/** How much of a request was dropped, and why; normally nothing. */
export type Added = { readonly rejected: number; readonly message: string };

/** The kept spans of one plan. */
export type KeptTrace = {
  /** A JSON list, ordered by start time. */
  readonly spans: string;
  /** Spans of the plan's trace that were dropped because it has too many. */
  readonly dropped: number;
  /** Whether its trace was evicted to make room for others. */
  readonly evicted: boolean;
};

export type TraceReply = {
  /** The id of the request. */
  readonly id: number;
  readonly figures: KeptFigures;
  readonly outcome: TraceOutcome;
};
