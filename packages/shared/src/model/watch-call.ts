/**
 * Deadlines around one HTTP exchange with a model server.
 *
 * The SDK stops its own timer when the headers arrive, so a stream that falls silent would hang for
 * ever. Here every chunk of the body proves life, and silence ends the exchange.
 */
import { PermanentError, TransientError } from "../errors.ts";
import { fetchWithoutRedirect } from "./refuse-redirect.ts";

export type CallLimits = {
  /** Silence before the first byte of a streamed body, in milliseconds. */
  readonly firstByteMs: number;
  /** Silence between two chunks of a body, in milliseconds. */
  readonly idleMs: number;
};

/** Text of a reply comes in larger wrappings, one for every token, when it is streamed. */
const JSON_BYTES_MAX = 16 * 1_048_576;
const STREAM_BYTES_MAX = 256 * 1_048_576;

export type CallWatch = Disposable & {
  /** Aborts when the caller does, or on silence, with the error to be thrown as its reason. */
  readonly signal: AbortSignal;
  /** When the server last sent a piece of a reply; before that, when it was called. Milliseconds since the epoch. */
  readonly aliveMs: () => number;
  /** Use it for the exchange. */
  readonly fetch: typeof fetch;
};

/**
 * Starts watching one exchange.
 *
 * @param options.remainingMs - What is left until the call's total deadline.
 * @param options.streamed - A reply that is not streamed may take as long as it takes to write, so
 *   only the total deadline bounds the wait for its first byte.
 */
export function watchCall(options: {
  readonly caller: AbortSignal;
  readonly remainingMs: number;
  readonly streamed: boolean;
  readonly limits: CallLimits;
  readonly fetch: typeof fetch;
  readonly now: () => number;
}): CallWatch {
  const controller = new AbortController();
  const stop = () => controller.abort(options.caller.reason);
  if (options.caller.aborted) stop();
  options.caller.addEventListener("abort", stop, { once: true });
  const stopAfter = (ms: number, what: string) =>
    setTimeout(() => controller.abort(new TransientError(`${what} ${ms} ms`)), ms);

  const total = setTimeout(
    () => controller.abort(tookTooLong(options.remainingMs)),
    Math.max(0, options.remainingMs),
  );
  let silence = options.streamed
    ? stopAfter(options.limits.firstByteMs, "the model server sent nothing for")
    : undefined;

  let hasBegun = false;
  let aliveMs = options.now();
  const alive = (chunk: Uint8Array, response: Response) => {
    if (response.ok) aliveMs = options.now();
    clearTimeout(silence);
    hasBegun ||= !isAboutPrompt(chunk);
    silence = !hasBegun
      ? stopAfter(options.limits.firstByteMs, "the model server sent nothing of its reply for")
      : stopAfter(options.limits.idleMs, "the model server fell silent for");
  };
  return {
    signal: controller.signal,
    aliveMs: () => aliveMs,
    fetch: async (input, init) => {
      const response = await fetchWithoutRedirect(options.fetch, input, init);
      return response.body === null ? response : withBody(response, (chunk) => alive(chunk, response));
    },
    [Symbol.dispose]() {
      clearTimeout(total);
      clearTimeout(silence);
      options.caller.removeEventListener("abort", stop);
    },
  };
}

function tookTooLong(ms: number): PermanentError {
  const message = `the model did not finish within ${Math.ceil(ms)} ms (MODEL_CALL_MS)`;
  return new PermanentError(message, { code: "model_call_timeout" });
}

/** Azure judges the prompt before the model begins, and says so in an event without choices. */
function isAboutPrompt(chunk: Uint8Array): boolean {
  return /"choices":\s*\[\]/.test(Buffer.from(chunk).toString("latin1"));
}

/** The same response, whose body reports each chunk and ends with an error when it grows too large. */
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
