/** Sends one request to a search provider, with a limit on everything, and reports whether a failure is worth a retry. */
import { parseJson } from "@planwright/plan";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { Agent, type Dispatcher, request } from "undici";
import { toNetError } from "../net/net-error.ts";
import { readBody } from "../net/read-body.ts";
import { headerOf, retryAfterMs } from "../net/create-fetcher.ts";

const DETAIL_CHARS_MAX = 300;

export type ProviderLimits = {
  readonly connectMs: number;
  /** From the call to the last byte. */
  readonly totalMs: number;
  /** Maximum size of the unpacked body. */
  readonly bodyBytesMax: number;
};

export const PROVIDER_LIMITS: ProviderLimits = {
  connectMs: 5_000,
  totalMs: 15_000,
  bodyBytesMax: 2 * 1024 * 1024,
};

export type ProviderRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text, sent by POST. Without it the request is a GET. */
  readonly body?: string;
};

/** A refusal as the provider sent it. */
export type Refusal = { readonly status: number; readonly body: unknown };

/** How to read a provider's refusals, beyond their status. */
export type RefusalReader = {
  /** The provider's own message, if the body has one. */
  readonly detail: (body: unknown) => string | undefined;
  /** Undefined leaves the decision to the status. */
  readonly kind?: (refusal: Refusal) => "unauthorized" | "quota" | undefined;
  /** What an operator can do about a refused key. */
  readonly unauthorized: string;
  /** Milliseconds to wait, from headers other than `Retry-After`. */
  readonly waitMs?: (header: (name: string) => string) => number | undefined;
};

export type ProviderSettings = {
  readonly name: string;
  /** Never part of any error. */
  readonly secrets: readonly string[];
  readonly refusals: RefusalReader;
  readonly limits?: ProviderLimits;
  readonly now?: () => number;
};

/** Settings of a provider that requires a key. */
export type KeyedSettings = Pick<ProviderSettings, "limits" | "now"> & {
  readonly key: string;
  /** Base URL for requests; the provider's own by default. */
  readonly url?: string;
};

export type AskProvider = (asked: ProviderRequest, signal: AbortSignal) => Promise<unknown>;

/** Requests JSON. Redirects are not followed, because the request carries a key. */
export function createAskProvider(settings: ProviderSettings): AskProvider {
  const { limits = PROVIDER_LIMITS } = settings;
  const { totalMs } = limits;
  const dispatcher = new Agent({
    connect: { timeout: limits.connectMs },
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
    keepAliveTimeout: 1_000,
    allowH2: false,
  });
  return async (asked, signal) => {
    signal.throwIfAborted();
    const deadline = AbortSignal.timeout(totalMs);
    try {
      return await ask(
        asked,
        { ...settings, limits },
        { dispatcher, signal: AbortSignal.any([signal, deadline]) },
      );
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted)
        throw new TransientError(`${settings.name} took longer than ${totalMs} ms`, { cause: error });
      throw error;
    }
  };
}

async function ask(
  { url, headers, body }: ProviderRequest,
  settings: ProviderSettings & { readonly limits: ProviderLimits },
  carried: { readonly dispatcher: Dispatcher; readonly signal: AbortSignal },
): Promise<unknown> {
  try {
    const response = await request(url, {
      ...carried,
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "application/json",
        "accept-encoding": "gzip",
        "user-agent": "planwright/0.1 (web.search)",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    // Its reader also gets the errors; without a listener, an unread body would crash the process.
    response.body.on("error", () => undefined);
    return await read(response, settings);
  } catch (error) {
    throw toNetError(error, url.host);
  }
}

async function read(
  response: Dispatcher.ResponseData,
  settings: ProviderSettings & { readonly limits: ProviderLimits },
): Promise<unknown> {
  const { name, limits } = settings;
  const status = response.statusCode;
  if (status >= 300 && status < 400) {
    response.body.destroy();
    throw new PermanentError(
      `${name} answered ${status}: it redirects, and keys are not sent to other addresses`,
      {
        code: "search_moved",
      },
    );
  }
  const encoding = headerOf(response, "content-encoding");
  const { bytes, truncated } = await readBody(response.body, { encoding, bytesMax: limits.bodyBytesMax });
  if (truncated) {
    throw new PermanentError(`${name} answered more than ${limits.bodyBytesMax} bytes`, {
      code: "response_too_large",
    });
  }
  const body = parseJson(new TextDecoder().decode(bytes));
  if (status < 200 || status >= 300) throw refused({ status, body }, response, settings);
  if (body === undefined) {
    const type = headerOf(response, "content-type").split(";")[0]?.slice(0, 100);
    const came = bytes.byteLength === 0 ? "nothing" : `${type === "" ? "something" : type} that is no JSON`;
    throw new PermanentError(`${name}: wanted JSON, got ${came}`, { code: "bad_response" });
  }
  return body;
}

function refused(
  refusal: Refusal,
  response: Dispatcher.ResponseData,
  { name, refusals, secrets, now = Date.now }: ProviderSettings,
): Error {
  const { status, body } = refusal;
  const detail = hide(refusals.detail(body) ?? "", secrets)
    .replaceAll(/\s+/g, " ")
    .slice(0, DETAIL_CHARS_MAX);
  const said = `${name} answered ${status}${detail === "" ? "" : `: ${detail}`}`;
  const kind = refusals.kind?.(refusal) ?? kindOf(status);
  switch (kind) {
    case "unauthorized":
      return new PermanentError(`${said}; ${refusals.unauthorized}`, { code: "search_unauthorized" });
    case "quota":
      return new PermanentError(`${said}; its quota is used up`, { code: "search_quota_exceeded" });
    case "refused":
      return new PermanentError(said, { code: "search_refused" });
    case "later": {
      const header = (wanted: string) => headerOf(response, wanted);
      const waitMs = retryAfterMs(header("retry-after") || undefined, now) ?? refusals.waitMs?.(header);
      return new TransientError(said, waitMs === undefined ? {} : { retryAfterMs: waitMs });
    }
    default:
      kind satisfies never;
      return new PermanentError(said, { code: "search_refused" });
  }
}

function kindOf(status: number): "unauthorized" | "quota" | "refused" | "later" {
  if (status === 401 || status === 403) return "unauthorized";
  // 432 and 433 are Tavily's own: the limits of the plan and of pay-as-you-go.
  if (status === 402 || status === 432 || status === 433) return "quota";
  return status === 408 || status === 425 || status === 429 || status >= 500 ? "later" : "refused";
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => left.replaceAll(secret, "***"), text);
}
