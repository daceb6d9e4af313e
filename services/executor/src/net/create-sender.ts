/** Sends one request that changes something, and reports for every failure whether it may have taken effect. */
import { lookup } from "node:dns";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { type Dispatcher, request } from "undici";
import { NotDoneError } from "@planwright/tools-kit";
import { createAllowList } from "./allow-list.ts";
import { checkUrl } from "./check-url.ts";
import { createEgress, type Egress } from "./egress.ts";
import { createDispatchers } from "./create-dispatchers.ts";
import { FETCH_LIMITS, type FetchLimits } from "./create-fetcher.ts";
import type { Resolve } from "./guarded-connector.ts";
import { netErrorCode, toNetError } from "./net-error.ts";
import { readBody } from "./read-body.ts";
import type { RequestHeaders } from "./request-headers.ts";
import { headerOf, retryAfterMs } from "./response-headers.ts";

/** The connection was never there, so nothing was sent over it. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** Refused before anything was done: later it may be accepted. */
const NOT_NOW: ReadonlySet<number> = new Set([408, 425, 429]);

export type SendRequest = {
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as `Idempotency-Key`. */
  readonly key: string;
  /** With small letters. */
  readonly headers?: RequestHeaders | undefined;
  /** JSON text. */
  readonly body?: string;
  readonly signal: AbortSignal;
};

export type Sent = {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly truncated: boolean;
};

export type Sender = {
  /**
   * Answers whatever response came, unless it is named below. Redirects are not followed.
   *
   * @throws {PermanentError} `address_refused`, `host_not_found`, `certificate_refused`: nothing was sent.
   * @throws {NotDoneError} The target was not reached, or answered 408, 425 or 429.
   * @throws {TransientError} The connection was lost or timed out after the request was under way.
   */
  send(sending: SendRequest): Promise<Sent>;
};

export function createSender({
  allow,
  egress,
  limits = FETCH_LIMITS,
  resolve = lookup,
  now = Date.now,
}: {
  /** `host:port` pairs that may be reached wherever they are. */
  readonly allow: readonly string[];
  /** Any public host when absent. */
  readonly egress?: Egress | undefined;
  readonly limits?: FetchLimits;
  readonly resolve?: Resolve;
  readonly now?: () => number;
}): Sender {
  const allowed = createAllowList(allow);
  const checks = { allowed, egress: egress ?? createEgress({ allowed }) };
  const dispatcherFor = createDispatchers({ allowed, limits, resolve });
  return {
    async send({ url: text, method, key, headers: more = {}, body, signal }) {
      const url = checkUrl(text, checks);
      const headers = {
        "user-agent": "planwright/0.1 (http.send)",
        ...more,
        "idempotency-key": key,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      };
      try {
        const deadline = AbortSignal.any([signal, AbortSignal.timeout(limits.totalMs)]);
        const dispatcher = dispatcherFor(url);
        // On a new connection: a kept one may be closing, and the cause of a failure would be unclear.
        const options = { dispatcher, method, headers, signal: deadline, reset: true };
        const response = await request(url, body === undefined ? options : { ...options, body });
        return await read(response, { url, limits, now });
      } catch (error) {
        throw toSendError(error, url.host);
      }
    },
  };
}

async function read(
  response: Dispatcher.ResponseData,
  { url, limits, now }: { readonly url: URL; readonly limits: FetchLimits; readonly now: () => number },
): Promise<Sent> {
  // Its reader hears of errors too; an unread body would end the process with them.
  response.body.on("error", () => undefined);
  const status = response.statusCode;
  if (NOT_NOW.has(status)) {
    response.body.destroy();
    const waitMs = retryAfterMs(headerOf(response, "retry-after") || undefined, now);
    const wait = waitMs === undefined ? {} : { retryAfterMs: waitMs };
    throw new NotDoneError(`${url.host} answered ${status}`, wait);
  }
  const encoding = headerOf(response, "content-encoding");
  const body = await readBody(response.body, { encoding, bytesMax: limits.bodyBytesMax });
  return { status, contentType: headerOf(response, "content-type"), ...body };
}

function toSendError(error: unknown, host: string): Error {
  const code = netErrorCode(error);
  if (code !== undefined && NOT_CONNECTED.has(code)) {
    return new NotDoneError(`cannot reach ${host}`, { cause: error });
  }
  const known = toNetError(error, host);
  // What breaks while a response is read says nothing of what the request did.
  if (known instanceof PermanentError && known.code === "bad_response") {
    return new TransientError(`cannot read the response of ${host}`, { cause: error });
  }
  return known;
}
