import { type Json, JsonValue } from "@planwright/plan";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { z } from "zod";
import { RequestHeaders, withoutHeadersInSpec } from "./request-headers.ts";
import { AnyJson, type CheckResult, defineTool, type Tool } from "../tools/define-tool.ts";
import { lookup } from "node:dns";
import { type Dispatcher, request } from "undici";
import { NotDoneError } from "@planwright/tools-kit";
import { createAllowList } from "./allow-list.ts";
import { checkUrl } from "./check-url.ts";
import { createEgress } from "./egress.ts";
import { createDispatchers } from "./create-dispatchers.ts";
import {
  FETCH_LIMITS,
  type FetcherSettings,
  type FetchLimits,
  headerOf,
  retryAfterMs,
} from "./create-fetcher.ts";
import { netErrorCode, toNetError } from "./net-error.ts";
import { readBody } from "./read-body.ts";

const URL_CHARS_MAX = 4_000;
const TEXT_CHARS_MAX = 100_000;

const Url = z.string().trim().min(1).max(URL_CHARS_MAX);

const Input = z.strictObject({
  url: Url.describe("The full URL."),
  method: z.enum(["POST", "PUT", "PATCH", "DELETE"]).default("POST"),
  body: AnyJson.optional().describe("Sent as JSON."),
  headers: RequestHeaders.optional(),
  rejectsRepeats: z
    .boolean()
    .default(false)
    .describe("True if the target ignores a repeated Idempotency-Key."),
  checkUrl: Url.optional().describe(
    "URL that answers GET with 200 if the request with this Idempotency-Key took effect, else 404.",
  ),
});
type Input = z.infer<typeof Input>;

/** Sends a request that has an effect, with the effect key as its `Idempotency-Key`. */
export function httpSend({ sender }: { readonly sender: Sender }): Tool {
  const tool = defineTool({
    name: "http.send",
    description:
      "Send one request that changes something to an exact URL. Use it only if the goal asks for it. " +
      "Output: {status, contentType, body}; body is a value if the reply is JSON, else text.",
    input: Input,
    output: z.object({ status: z.int(), contentType: z.string(), body: AnyJson }),
    // Sends the plan's data to an outside host, and causes an effect there.
    risk: "high",
    effect: "once",
    timeoutMs: 60_000,
    rejectsRepeatedKeys: ({ rejectsRepeats }) => rejectsRepeats,
    run: async ({ url, method, headers, body }, { effectKey, signal }) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const sent = await sender.send({ url, method, headers, key: effectKey(), signal, ...json });
      if (sent.status >= 500) throw new TransientError(`${url} answered ${sent.status}`);
      if (sent.status < 200 || sent.status >= 300) {
        throw new PermanentError(`${url} answered ${sent.status}`, { code: "http_status" });
      }
      return outputOf(sent);
    },
    check: (args, context) => checkAt(sender, args, context),
  });
  return withoutHeadersInSpec(tool);
}

async function checkAt(
  sender: Sender,
  { url: target, checkUrl: url, headers }: Input,
  { effectKey, signal }: { readonly effectKey: () => string; readonly signal: AbortSignal },
): Promise<CheckResult> {
  if (url === undefined) return { kind: "unknown" };
  // The headers are meant for the target: another origin does not get them.
  const own = URL.parse(url)?.origin === URL.parse(target)?.origin ? { headers } : {};
  const answer = await sender.send({ url, method: "GET", key: effectKey(), signal, ...own });
  if (answer.status === 404) return { kind: "not-done" };
  return answer.status === 200 ? { kind: "done", output: outputOf(answer) } : { kind: "unknown" };
}

function outputOf({ status, contentType, bytes }: Sent): { status: number; contentType: string; body: Json } {
  const text = bytes.toString("utf8").slice(0, TEXT_CHARS_MAX);
  return { status, contentType, body: /\bjson\b/i.test(contentType) ? valueOf(text) : text };
}

/** Invalid JSON that is labelled as JSON is returned as text. */
function valueOf(text: string): Json {
  try {
    return JsonValue.parse(JSON.parse(text));
  } catch {
    return text;
  }
}

/** The connection was never established, so nothing was sent. */
const NOT_CONNECTED: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** Refused before anything was done; may be accepted later. */
const NOT_NOW: ReadonlySet<number> = new Set([408, 425, 429]);

/** Sends one request that has an effect, and reports for every failure whether it may have taken effect. */
export type SendRequest = {
  readonly url: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Sent as `Idempotency-Key`. */
  readonly key: string;
  /** In lower case. */
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
   * Returns any response, except those below. Redirects are not followed.
   *
   * @throws {PermanentError} `address_refused`, `host_not_found`, `certificate_refused`: nothing was sent.
   * @throws {NotDoneError} The target was not reached, or responded with 408, 425 or 429.
   * @throws {TransientError} The connection was lost or timed out after sending had begun.
   */
  send(sending: SendRequest): Promise<Sent>;
};

export function createSender({
  allow,
  egress,
  limits = FETCH_LIMITS,
  resolve = lookup,
  now = Date.now,
}: FetcherSettings): Sender {
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
        // On a new connection: a kept-alive one may be closing, which would obscure the cause of a failure.
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
  // Its reader also gets the errors; without a listener, an unread body would crash the process.
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
  // A failure while the response is read says nothing about the request's effect.
  if (known instanceof PermanentError && known.code === "bad_response") {
    return new TransientError(`cannot read the response of ${host}`, { cause: error });
  }
  return known;
}
