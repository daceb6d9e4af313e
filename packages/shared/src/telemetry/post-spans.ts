import { setTimeout as delay } from "node:timers/promises";
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** OTLP's own list: whatever else a receiver refuses it would refuse again. */
const RETRYABLE = new Set([429, 502, 503, 504]);
const RETRY_MS = 500;
const TRIES_MAX = 3;

export type SpanPost = Disposable & {
  /** @throws When the receiver has not taken the body, also after it was tried again. */
  send(body: string): Promise<void>;
};

/**
 * Sends bodies to an OTLP/HTTP receiver over one connection that is kept open.
 *
 * @param options.timeoutMs - How long one request may take.
 */
export function postSpans({
  url,
  headers,
  timeoutMs,
}: {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}): SpanPost {
  const isSecure = url.protocol === "https:";
  const agent = isSecure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const closed = new AbortController();

  const post = (body: string): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const bytes = Buffer.from(body);
    const sent = (isSecure ? httpsRequest : httpRequest)(
      url,
      {
        method: "POST",
        agent,
        headers: { ...headers, "content-type": "application/json", "content-length": bytes.byteLength },
        signal: AbortSignal.any([closed.signal, AbortSignal.timeout(timeoutMs)]),
      },
      (response) => {
        response.resume();
        response.on("error", reject).on("end", () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on("error", reject).end(bytes);
    return promise;
  };

  const send = async (body: string): Promise<void> => {
    for (let tries = 1; ; tries++) {
      const isLast = tries === TRIES_MAX || closed.signal.aborted;
      try {
        const status = await post(body);
        if (status >= 200 && status < 300) return;
        if (isLast || !RETRYABLE.has(status)) throw new RefusedError(`the receiver answered ${status}`);
      } catch (error) {
        if (isLast || error instanceof RefusedError) throw error;
      }
      await delay(RETRY_MS * tries, undefined, { ref: false, signal: closed.signal });
    }
  };

  return {
    send,
    [Symbol.dispose]() {
      closed.abort(new DOMException("tracing ends", "AbortError"));
      agent.destroy();
    },
  };
}

/** The receiver does not want the spans, now or later. */
class RefusedError extends Error {
  override readonly name = "RefusedError";
}
