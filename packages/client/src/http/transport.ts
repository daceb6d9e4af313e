/**
 * Sends requests with the key and a time-out, and retries after transient failures.
 *
 * A non-idempotent call is retried only when the gateway reported that it did nothing (429 or 503).
 */
import {
  ConnectionError,
  type PlanwrightError,
  ProblemError,
  RequestTimeoutError,
  UnexpectedResponseError,
} from "../errors.ts";
import { checkRetries, checkTimeout, ownOrigin, type RequestOptions, type Settings } from "../options.ts";
import { VERSION } from "../version.ts";
import { parseJson, problemOf, readText, unexpected, VERSION_HEADER } from "./replies.ts";
import { type AnswerOf, type EndpointId, isRepeatable, pathOf, type Query, ROUTES } from "./routes.ts";
import { backoffMs, createDeadline, delay } from "./timing.ts";

const JSON_TYPE = "application/json";
/** If the gateway's `Retry-After` is longer, the call fails without waiting; the error has the time. */
const RETRY_AFTER_MS_MAX = 60_000;
const KEYS_MAX = 20;
const MAY_PASS: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
/** The gateway refused before it did anything. */
const DID_NOTHING: ReadonlySet<number> = new Set([429, 503]);

export type Call = RequestOptions & {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly content?: { readonly type: string; readonly data: NonNullable<RequestInit["body"]> };
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Statuses of 400 and above that are not errors. */
  readonly answers?: readonly number[];
  /** Sends the request instead of the client's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
};

export type Transport = {
  readonly settings: Settings;
  /** The version in the gateway's last response. */
  readonly gatewayVersion: () => string | undefined;
  /** The JSON of a response. */
  json<Id extends EndpointId>(id: Id, call?: Call): Promise<AnswerOf<Id>>;
  /** The text of a response; "" when it has none. */
  text(id: EndpointId, call?: Call): Promise<string>;
  /** The response itself, whose body the caller reads; the time-out covers only the headers. */
  response(id: EndpointId, call?: Call): Promise<Response>;
  url(id: EndpointId, params: Readonly<Record<string, string>>): string;
};

export function createTransport(settings: Settings): Transport {
  const { baseUrl } = settings;
  let gatewayVersion: string | undefined;
  const known = new Set([VERSION]);
  const heard = (response: Response): void => {
    const version = response.headers.get(VERSION_HEADER) ?? undefined;
    if (version === undefined) return;
    gatewayVersion = version;
    if (known.has(version)) return;
    known.add(version);
    settings.onVersionMismatch({ client: VERSION, gateway: version });
  };

  const send = async <Result>(id: EndpointId, call: Call, read: Read<Result>): Promise<Result> => {
    const url = baseUrl + pathOf(id, call.params, call.query);
    const timeoutMs = checkTimeout(call.timeoutMs ?? settings.timeoutMs);
    const retriesMax = checkRetries(call.maxRetries ?? settings.maxRetries);
    call.signal?.throwIfAborted();
    let keys = 0;
    for (let failures = 0; ; ) {
      const key = settings.key();
      const init = initOf(id, call, { ...settings.headers, ...bearer(key) });
      try {
        const sent = { id, call, url, init, timeoutMs, attempt: failures + 1 };
        return await exchange(sent, read, { settings, heard });
      } catch (error) {
        if (isUnauthorized(error) && settings.onUnauthorized !== undefined && keys < KEYS_MAX) {
          keys += 1;
          const enough = await settings.onUnauthorized(key);
          call.signal?.throwIfAborted();
          if (enough) continue;
        }
        const waitMs = failures < retriesMax ? waitBeforeRetry(error, id, failures + 1) : undefined;
        if (waitMs === undefined) throw error;
        failures += 1;
        await delay(waitMs, call.signal);
      }
    }
  };

  return {
    settings,
    gatewayVersion: () => gatewayVersion,
    json: (id, call = {}) =>
      send(id, call, async (response) => {
        // The contract's types describe it; `planwright-version` lets the client compare versions.
        return parseJson(await readText(response), response) as AnswerOf<typeof id>;
      }),
    text: (id, call = {}) => send(id, call, readText),
    response: (id, call = {}) => send(id, call, keepOpen),
    url: (id, params) => baseUrl + pathOf(id, params),
  };
}

type Read<Result> = (response: Response) => Promise<Result>;

const keepOpen = (response: Response): Promise<Response> => Promise.resolve(response);

type Sent = {
  readonly id: EndpointId;
  readonly call: Call;
  readonly url: string;
  readonly init: RequestInit;
  readonly timeoutMs: number;
  readonly attempt: number;
};

/** One attempt. */
async function exchange<Result>(
  sent: Sent,
  read: Read<Result>,
  { settings, heard }: { readonly settings: Settings; readonly heard: (response: Response) => void },
): Promise<Result> {
  const { id, call, timeoutMs } = sent;
  let isOpen = false;
  const deadline = createDeadline(call.signal, timeoutMs);
  try {
    const send = call.fetch ?? settings.fetch;
    const response = await send(sent.url, { ...sent.init, signal: deadline.signal });
    heard(response);
    if (!response.ok && call.answers?.includes(response.status) !== true) {
      const text = await readText(response);
      const problem = problemOf(text, response);
      if (problem === undefined) throw unexpected(text, response);
      throw new ProblemError(problem, { attempts: sent.attempt });
    }
    isOpen = read === keepOpen;
    return await read(response);
  } catch (error) {
    if (call.signal?.aborted === true) throw call.signal.reason;
    if (error instanceof ProblemError || error instanceof UnexpectedResponseError) throw error;
    if (deadline.isOver()) {
      const message = `${ROUTES[id]}: the gateway at ${settings.baseUrl} did not answer within ${timeoutMs} ms`;
      throw new RequestTimeoutError(message, timeoutMs, { cause: error });
    }
    throw unreachable(settings.baseUrl, error);
  } finally {
    // The caller's signal, not the time-out, ends an open response's body.
    if (isOpen) deadline.restart(0);
    else deadline.release();
  }
}

/** The header that carries the key. */
export function bearer(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

export function unreachable(baseUrl: string, cause: unknown): ConnectionError {
  const why = reasonOf(cause);
  const page = ownOrigin();
  // Browsers do not report the reason: it looks the same as an unreachable gateway.
  const foreign =
    page === undefined || page === new URL(baseUrl).origin
      ? ""
      : `; a gateway refuses pages of another origin, as ${page} is: serve both from one host`;
  return new ConnectionError(`no gateway answers at ${baseUrl}${why === "" ? "" : ` (${why})`}${foreign}`, {
    cause,
  });
}

/** Whether another attempt can succeed after any error that a call has thrown. */
export function mayPass(error: unknown): boolean {
  if (error instanceof ConnectionError || error instanceof RequestTimeoutError) return true;
  if (error instanceof ProblemError || error instanceof UnexpectedResponseError)
    return MAY_PASS.has(error.status);
  return false;
}

function initOf(id: EndpointId, call: Call, common: Readonly<Record<string, string>>): RequestInit {
  const { body, content } = call;
  const [method = "GET"] = ROUTES[id].split(" ");
  const headers = new Headers({ accept: JSON_TYPE, ...common });
  if (content !== undefined) headers.set("content-type", content.type);
  else if (body !== undefined) headers.set("content-type", JSON_TYPE);
  for (const [name, value] of Object.entries(call.headers ?? {})) {
    if (value !== undefined) headers.set(name, value);
  }
  const sent = content?.data ?? (body === undefined ? undefined : JSON.stringify(body));
  return sent === undefined ? { method, headers } : { method, headers, body: sent };
}

/** Milliseconds to wait; undefined when the call must not be retried. */
function waitBeforeRetry(error: unknown, id: EndpointId, failures: number): number | undefined {
  if (!mayPass(error)) return undefined;
  const { status = 0, retryAfterSeconds } = error as PlanwrightError & {
    status?: number;
    retryAfterSeconds?: number;
  };
  if (!DID_NOTHING.has(status) && !isRepeatable(id)) return undefined;
  const wantedMs = (retryAfterSeconds ?? 0) * 1_000;
  if (wantedMs > RETRY_AFTER_MS_MAX) return undefined;
  return Math.max(wantedMs, backoffMs(failures, Math.random()));
}

function isUnauthorized(error: unknown): boolean {
  const isAnswer = error instanceof ProblemError || error instanceof UnexpectedResponseError;
  return isAnswer && error.status === 401;
}

/** `fetch failed` explains nothing; its cause does. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error === "string" ? error : "";
  const cause = error.cause === undefined ? "" : reasonOf(error.cause);
  const { code } = error as { readonly code?: unknown };
  return cause || error.message || (typeof code === "string" ? code : "");
}
