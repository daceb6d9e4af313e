/** Reads one resource from the public internet, with a limit on everything that a server could drag out. */
import { lookup } from "node:dns";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { type Dispatcher, request } from "undici";
import { isDocumentType } from "../documents/document-kind.ts";
import { type AllowList, createAllowList } from "./allow-list.ts";
import { checkUrl } from "./check-url.ts";
import { createEgress, type Egress } from "./egress.ts";
import { createDispatchers } from "./create-dispatchers.ts";
import type { Resolve } from "./guarded-connector.ts";
import { toNetError } from "./net-error.ts";
import { readBody } from "./read-body.ts";
import type { RequestHeaders } from "./request-headers.ts";

const REDIRECTS_MAX = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  accept:
    "text/html, application/xhtml+xml, application/json, text/*;q=0.9, application/pdf;q=0.8, */*;q=0.1",
  "accept-encoding": "gzip, deflate, br, zstd",
  "user-agent": "planwright/0.1 (http.fetch)",
};

export type FetchLimits = {
  readonly connectMs: number;
  readonly headersMs: number;
  /** Between two chunks of the body. */
  readonly idleMs: number;
  /** From the call to the last byte, including redirects. */
  readonly totalMs: number;
  /** Maximum size of the unpacked body. */
  readonly bodyBytesMax: number;
  /** The same for PDF and Word documents, which are unreadable in part. */
  readonly documentBytesMax: number;
};

export const FETCH_LIMITS: FetchLimits = {
  connectMs: 5_000,
  headersMs: 10_000,
  idleMs: 10_000,
  totalMs: 30_000,
  bodyBytesMax: 2 * 1024 * 1024,
  documentBytesMax: 16 * 1024 * 1024,
};

export type Fetched = {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  /** As the server sent it; empty when it did not. */
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Whether the body continues beyond the limit. */
  readonly truncated: boolean;
};

export type FetchOptions = {
  /** In lower case; only sent to the URL's own origin, not to where it redirects. */
  readonly headers?: RequestHeaders | undefined;
  readonly signal: AbortSignal;
};

export type Fetcher = {
  /**
   * @throws {PermanentError} `address_refused`, `http_status`, `too_many_redirects`, `host_not_found`, `certificate_refused`,
   * `bad_response`.
   * @throws {TransientError} On 408, 425, 429, 5xx (with the server's Retry-After), lost connections and timeouts.
   */
  fetch(url: string, options: FetchOptions): Promise<Fetched>;
};

export type FetcherSettings = {
  /** `host:port` pairs that can be reached even at private addresses. */
  readonly allow: readonly string[];
  /** Any public host by default. */
  readonly egress?: Egress | undefined;
  readonly limits?: FetchLimits;
  readonly resolve?: Resolve;
  readonly now?: () => number;
};

type Parts = {
  readonly allowed: AllowList;
  readonly egress: Egress;
  readonly limits: FetchLimits;
  readonly dispatcherFor: (url: URL) => Dispatcher;
  readonly now: () => number;
};

type Request = Parts & { readonly headers: RequestHeaders };

export function createFetcher({
  allow,
  egress,
  limits = FETCH_LIMITS,
  resolve = lookup,
  now = Date.now,
}: FetcherSettings): Fetcher {
  const allowed = createAllowList(allow);
  const dispatcherFor = createDispatchers({ allowed, limits, resolve });
  const parts: Parts = { allowed, egress: egress ?? createEgress({ allowed }), limits, dispatcherFor, now };
  return {
    fetch: (url, { headers = {}, signal }) =>
      withDeadline(limits.totalMs, signal, (both) => follow(url, { ...parts, headers }, both)),
  };
}

async function withDeadline<T>(
  totalMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(totalMs);
  try {
    return await run(AbortSignal.any([signal, deadline]));
  } catch (error) {
    signal.throwIfAborted();
    if (deadline.aborted)
      throw new TransientError(`the page took longer than ${totalMs} ms`, { cause: error });
    throw error;
  }
}

async function follow(text: string, parts: Request, signal: AbortSignal): Promise<Fetched> {
  let url = checkUrl(text, parts);
  let { headers } = parts;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const answer = await ask(url, { ...parts, headers }, signal);
    if (!("location" in answer)) return answer;
    const next = checkUrl(answer.location, { ...parts, from: url });
    // They may contain a secret. Once dropped they stay dropped, or a later redirect back could collect them.
    if (next.origin !== url.origin) headers = {};
    url = next;
  }
  throw new PermanentError(`more than ${REDIRECTS_MAX} redirects, the last one to ${url.host}`, {
    code: "too_many_redirects",
  });
}

async function ask(
  url: URL,
  parts: Request,
  signal: AbortSignal,
): Promise<Fetched | { readonly location: string }> {
  try {
    const headers = { ...HEADERS, ...parts.headers };
    const response = await request(url, { dispatcher: parts.dispatcherFor(url), headers, signal });
    // Its reader also gets the errors; without a listener, an unread body would crash the process.
    response.body.on("error", () => undefined);
    const location = headerOf(response, "location");
    if (REDIRECTS.has(response.statusCode) && location !== "") {
      response.body.destroy();
      return { location };
    }
    if (response.statusCode < 200 || response.statusCode >= 300) {
      response.body.destroy();
      throw statusError(url, response, parts.now);
    }
    const encoding = headerOf(response, "content-encoding");
    const contentType = headerOf(response, "content-type");
    const { bodyBytesMax, documentBytesMax } = parts.limits;
    const bytesMax = isDocumentType(contentType) ? documentBytesMax : bodyBytesMax;
    const body = await readBody(response.body, { encoding, bytesMax });
    return { url: url.href, status: response.statusCode, contentType, ...body };
  } catch (error) {
    throw toNetError(error, url.host);
  }
}

function statusError(url: URL, response: Dispatcher.ResponseData, now: () => number): Error {
  const status = response.statusCode;
  const message = `${url.host} answered ${status}`;
  if (status !== 408 && status !== 425 && status !== 429 && status < 500) {
    return new PermanentError(message, { code: "http_status" });
  }
  const waitMs = retryAfterMs(headerOf(response, "retry-after") || undefined, now);
  return new TransientError(message, waitMs === undefined ? {} : { retryAfterMs: waitMs });
}

const DAY_MS = 86_400_000;

/**
 * The delay that a `Retry-After` header requests, in milliseconds, at most one day.
 *
 * @returns `undefined` when it is neither a number of seconds nor a date.
 */
export function retryAfterMs(header: string | undefined, now: () => number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\s*(\d{1,9})\s*$/.exec(header)?.[1];
  const waitMs = seconds === undefined ? Date.parse(header) - now() : Number(seconds) * 1_000;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), DAY_MS);
}

/** A response header, with several of one name joined; "" if missing. */
export function headerOf({ headers }: Dispatcher.ResponseData, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(", ") : value) ?? "";
}
