/** Options of a client and of its calls. */

/** The part of the standard WebSocket that is used; those of browsers, Node 22, Bun, Deno and the package `ws` all fit. */
export type WebSocketLike = {
  send(data: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: "open" | "close" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
};
export type WebSocketConstructor = new (url: string, protocols: string[]) => WebSocketLike;

export type PlanwrightOptions = {
  /** The gateway's address; its path is prepended to every path. Default: the page's own origin, else `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | URL | undefined;
  /** Sent as `Authorization: Bearer`. A function is called for each request. */
  readonly apiKey?: string | (() => string | undefined) | undefined;
  /** Maximum time for one attempt of a request, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries after transient failures. Default 3. */
  readonly maxRetries?: number | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * Replaces the global `WebSocket`, which Node 20 lacks. `null`: use none. Without one, `plans.watch` follows the plan
   * through server-sent events, and reads the view when it changes.
   */
  readonly WebSocket?: WebSocketConstructor | null | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Called once for each gateway version that differs from the client's. Default: a line on `console.warn`.
   */
  readonly onVersionMismatch?: ((versions: Versions) => void) | undefined;
  /**
   * Called when the gateway answers 401, with the refused key. Resolve to true to send the request again, with
   * the key that `apiKey` then returns.
   */
  readonly onUnauthorized?: ((refusedKey: string | undefined) => Promise<boolean>) | undefined;
};

export type Versions = { readonly client: string; readonly gateway: string };

/** Options of every call. */
export type RequestOptions = {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the client's. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the client's. */
  readonly maxRetries?: number | undefined;
};

/** Options of calls that start a plan. */
export type SubmitOptions = RequestOptions & {
  /** The same key and body return the first plan again. Default: a random one for each call, so that retries start one plan. */
  readonly idempotencyKey?: string | undefined;
  /** W3C trace context. The plan's spans become part of the caller's trace. */
  readonly traceparent?: string | undefined;
};

/** Options of calls that follow a plan over several connections. */
export type FollowOptions = {
  /** Ends the call, which then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** How long the gateway can be away, or cut every connection without sending anything new, in milliseconds. Default 60,000. */
  readonly awayMs?: number | undefined;
};

export type Settings = {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly key: () => string | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly onUnauthorized: PlanwrightOptions["onUnauthorized"];
  readonly onVersionMismatch: (versions: Versions) => void;
  /** Undefined where the platform has none. */
  readonly WebSocket: () => WebSocketConstructor | undefined;
};

export const AWAY_MS = 60_000;
const TIMEOUT_MS = 30_000;
/** The longest timer that the platforms support. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;
const RETRIES = 3;
const BASE_URL = "http://127.0.0.1:8080";

/** @throws {TypeError} When an option is invalid; the message names it and the expected value. */
export function settingsOf(options: PlanwrightOptions): Settings {
  const { apiKey, headers = {}, onUnauthorized, onVersionMismatch = warnOfVersion } = options;
  return {
    baseUrl: baseUrlOf(options.baseUrl ?? ownOrigin() ?? BASE_URL),
    timeoutMs: checkTimeout(options.timeoutMs ?? TIMEOUT_MS),
    maxRetries: checkRetries(options.maxRetries ?? RETRIES),
    key: typeof apiKey === "function" ? apiKey : () => (apiKey === "" ? undefined : apiKey),
    // The global `fetch` is looked up for each request: instrumentation may replace it.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    headers,
    onUnauthorized,
    onVersionMismatch,
    WebSocket: () => (options.WebSocket === undefined ? globalWebSocket() : (options.WebSocket ?? undefined)),
  };
}

export function checkTimeout(timeoutMs: number): number {
  if (timeoutMs > 0 && timeoutMs <= TIMEOUT_MS_MAX) return timeoutMs;
  throw new TypeError(`timeoutMs: wanted milliseconds from 1 to ${TIMEOUT_MS_MAX}, got ${timeoutMs}`);
}

export function checkRetries(maxRetries: number): number {
  if (Number.isInteger(maxRetries) && maxRetries >= 0) return maxRetries;
  throw new TypeError(`maxRetries: wanted a whole number from 0, got ${maxRetries}`);
}

function baseUrlOf(given: string | URL): string {
  const text = String(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new TypeError(`baseUrl: wanted a URL such as ${BASE_URL}, got ${JSON.stringify(text)}`);
  }
  if (url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new TypeError(
      "baseUrl: wanted a URL without credentials, query and fragment; give a key as apiKey",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** The origin of the page that the client runs in, if any. */
export function ownOrigin(): string | undefined {
  const { location } = globalThis as { readonly location?: { readonly origin?: string } };
  return location?.origin?.startsWith("http") === true ? location.origin : undefined;
}

function globalWebSocket(): WebSocketConstructor | undefined {
  return (globalThis as { readonly WebSocket?: WebSocketConstructor }).WebSocket;
}

function warnOfVersion({ client, gateway }: Versions): void {
  console.warn(
    `@planwright/client ${client} talks to a gateway of version ${gateway}: install @planwright/client@${gateway}`,
  );
}
