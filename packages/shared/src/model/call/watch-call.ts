/**
 * Deadlines around one HTTP exchange with a model server.
 *
 * The SDK stops its own timer when the headers arrive, so a stalled stream would hang forever. Here every
 * chunk of the body proves life, and silence ends the exchange.
 *
 * Silence before the first chunk has two causes that look the same on the connection: the server is dead, or it is processing
 * a long prompt or loading the model, during which llama.cpp, Ollama and LM Studio send no byte. So the server is
 * probed: it has `windowMs` to answer anything at all, and `firstByteMs` in total while it answers probes.
 */
import { PermanentError, TransientError } from "../../errors.ts";
import { fetchWithoutRedirect } from "./refuse-redirect.ts";

export type CallLimits = {
  /** Maximum silence before the first byte of a streamed body while the server answers other requests, in milliseconds. */
  readonly firstByteMs: number;
  /** Maximum silence between two chunks of a body, in milliseconds. */
  readonly idleMs: number;
  /** Maximum silence of a server that answers nothing at all, in milliseconds. */
  readonly patienceMs: number;
};

/** Start of every message about a server that is unreachable or answers nothing. */
export const NO_ANSWER = "the model server does not answer";

/** A streamed reply is larger than its text, because every token has its own wrapper. */
const JSON_BYTES_MAX = 16 * 1_048_576;
const STREAM_BYTES_MAX = 256 * 1_048_576;
/** Limit for a probe of the server, or half of the remaining time if that is less. */
const LOOK_MS = 5_000;
/** Silence of this length is reported, or of a third of the remaining time if that is less. */
const REPORTED_MS = 10_000;

/** A call that receives nothing. */
export type Silence = {
  /** When the call was made, or the last piece of its reply came, in milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly hasBegun: boolean;
  /** Length of the silence so far, in milliseconds. */
  readonly silentMs: number;
  /** When the call will be abandoned unless the server is found to answer other requests. */
  readonly untilMs: number;
  readonly answersOthers: boolean;
};

export type CallWatch = Disposable & {
  /** Aborts when the caller does, or on silence; its reason is the error to throw. */
  readonly signal: AbortSignal;
  /** When the server last sent a part of a reply; before that, when it was called. Milliseconds since the epoch. */
  readonly aliveMs: () => number;
  /** Must be used for the exchange. */
  readonly fetch: typeof fetch;
};

export type CallWatchOptions = {
  readonly caller: AbortSignal;
  /** Time left until the call's total deadline. */
  readonly remainingMs: number;
  /** Time left for the server to show a sign of life. */
  readonly windowMs: number;
  /** A reply that is not streamed has no first byte until it is complete, so only the deadline limits it. */
  readonly streamed: boolean;
  readonly limits: CallLimits;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  /** Whether the server answers a cheap request. */
  readonly look: (signal: AbortSignal) => Promise<boolean>;
  /** Called once for each long silence: within a window, or between chunks of the reply. */
  readonly onSilence: (silence: Silence) => void;
  /** Called at the first chunk, with the time until then in milliseconds. */
  readonly onFirstChunk: (afterMs: number) => void;
};

/** Starts watching one exchange. */
export function watchCall(options: CallWatchOptions): CallWatch {
  const { caller, remainingMs } = options;
  const controller = new AbortController();
  const { signal } = controller;
  const stop = () => controller.abort(caller.reason);
  if (caller.aborted) stop();
  caller.addEventListener("abort", stop, { once: true });
  const total = setTimeout(() => controller.abort(tookTooLong(remainingMs)), Math.max(0, remainingMs));

  const silence = startSilence(options, { signal, end: (error) => controller.abort(error) });
  let idle: (Disposable & { restart(): void }) | undefined;
  const startedMs = performance.now();
  let hasBegun = false;
  let aliveMs = options.now();
  const alive = (chunk: Uint8Array, response: Response) => {
    if (response.ok) aliveMs = options.now();
    if (!hasBegun && isAboutPrompt(chunk)) return;
    if (!hasBegun && response.ok) options.onFirstChunk(performance.now() - startedMs);
    hasBegun = true;
    silence[Symbol.dispose]();
    idle ??= startIdle(options, (error) => controller.abort(error));
    idle.restart();
  };
  return {
    signal,
    aliveMs: () => aliveMs,
    fetch: async (input, init) => {
      const response = await fetchWithoutRedirect(options.fetch, input, init);
      return response.body === null ? response : withBody(response, (chunk) => alive(chunk, response));
    },
    [Symbol.dispose]() {
      clearTimeout(total);
      idle?.[Symbol.dispose]();
      silence[Symbol.dispose]();
      caller.removeEventListener("abort", stop);
    },
  };
}

/**
 * Waits for a first chunk, window by window, and probes the server at the end of each. The last window ends with the
 * call's own limit, without a probe.
 */
function startSilence(
  { remainingMs, windowMs: firstWindowMs, streamed, limits, now, look, onSilence }: CallWatchOptions,
  { signal, end }: { signal: AbortSignal; end: (error: TransientError) => void },
): Disposable {
  const limitMs = streamed ? limits.firstByteMs : remainingMs;
  const sinceMs = now();
  const startedMs = performance.now();
  const over = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const after = (ms: number, act: () => void) => timers.add(setTimeout(act, ms));
  let silentMs = 0;
  let answersOthers = false;

  const openWindow = (windowMs: number): void => {
    const isLast = limitMs <= silentMs + windowMs;
    const untilMs = isLast ? limitMs : silentMs + windowMs;
    const lengthMs = untilMs - silentMs;
    const reportMs = Math.min(REPORTED_MS, lengthMs / 3);
    after(reportMs, () => {
      onSilence({
        sinceMs,
        hasBegun: false,
        silentMs: silentMs + reportMs,
        untilMs: sinceMs + untilMs,
        answersOthers,
      });
    });
    if (isLast) {
      after(lengthMs, () => end(sentNothing(limitMs, { streamed, answersOthers })));
      return;
    }
    const lookMs = Math.min(LOOK_MS, Math.ceil(lengthMs / 2));
    after(lengthMs - lookMs, () => void decide(lookMs));
  };
  const decide = async (lookMs: number): Promise<void> => {
    const answers = await look(AbortSignal.any([signal, over.signal, AbortSignal.timeout(lookMs)]));
    if (over.signal.aborted) return;
    silentMs = performance.now() - startedMs;
    if (!answers) {
      end(answersNothing(silentMs));
      return;
    }
    answersOthers = true;
    openWindow(limits.patienceMs);
  };
  openWindow(firstWindowMs);
  return {
    [Symbol.dispose]() {
      over.abort();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

/** Waits between two chunks. */
function startIdle(
  { limits: { idleMs }, now, onSilence }: CallWatchOptions,
  end: (error: TransientError) => void,
): Disposable & { restart(): void } {
  const reportMs = Math.min(REPORTED_MS, idleMs / 3);
  let sinceMs = now();
  const report = setTimeout(
    () =>
      onSilence({
        sinceMs,
        hasBegun: true,
        silentMs: reportMs,
        untilMs: sinceMs + idleMs,
        answersOthers: false,
      }),
    reportMs,
  );
  const fell = `the model server fell silent for ${shownMs(idleMs)} (MODEL_IDLE_MS)`;
  const over = setTimeout(() => end(new TransientError(fell)), idleMs);
  return {
    restart() {
      sinceMs = now();
      report.refresh();
      over.refresh();
    },
    [Symbol.dispose]() {
      clearTimeout(report);
      clearTimeout(over);
    },
  };
}

function answersNothing(ms: number): TransientError {
  return new TransientError(
    `${NO_ANSWER}: nothing came for ${shownMs(ms)}, and it does not answer GET /models either`,
  );
}

function sentNothing(
  ms: number,
  { streamed, answersOthers }: { streamed: boolean; answersOthers: boolean },
): TransientError {
  const setting = streamed ? "MODEL_FIRST_BYTE_MS" : "MODEL_CALL_MS";
  const though = answersOthers ? ", though it answers other requests: it may need longer for the prompt" : "";
  return new TransientError(`${NO_ANSWER}: nothing came for ${shownMs(ms)} (${setting})${though}`);
}

/** Formats a duration for messages. */
export function shownMs(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${Math.round(ms / 1_000)} s`;
}

function tookTooLong(ms: number): PermanentError {
  const message = `the model did not finish within ${Math.ceil(ms)} ms (MODEL_CALL_MS)`;
  return new PermanentError(message, { code: "model_call_timeout" });
}

/** Azure judges the prompt before the model begins, and sends the result in an event without choices. */
function isAboutPrompt(chunk: Uint8Array): boolean {
  return /"choices":\s*\[\]/.test(Buffer.from(chunk).toString("latin1"));
}

/** Returns the same response with a body that reports each chunk and fails when it grows too large. */
function withBody(response: Response, onChunk: (chunk: Uint8Array) => void): Response {
  const { status, statusText, headers } = response;
  const bytesMax = headers.get("content-type")?.includes("json") === true ? JSON_BYTES_MAX : STREAM_BYTES_MAX;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, controller) {
      onChunk(chunk);
      bytes += chunk.byteLength;
      if (bytes <= bytesMax) controller.enqueue(chunk);
      else
        controller.error(
          new PermanentError(`the model sent more than ${bytesMax} bytes`, { code: "model_reply_too_large" }),
        );
    },
  });
  return new Response(response.body?.pipeThrough(counted), { status, statusText, headers });
}
