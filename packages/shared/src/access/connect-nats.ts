/** Connects to NATS: waits for a server that accepts the login, logs once why it is waiting, and reconnects forever. */
import { setTimeout as delay } from "node:timers/promises";
import { connect, type ConnectionOptions, errors, type NatsConnection } from "@nats-io/transport-node";
import {
  type ConnectionAccess,
  connectionAccess,
  type NatsAccess,
  LOGIN_SETTINGS,
  type NatsLogin,
} from "./nats-access.ts";
import { describeError } from "../errors.ts";

const RETRY_MS = 250;
const RETRY_MS_MAX = 1_000;
/** Limit for a server's greeting and its answer to the login. */
const TRY_MS_MAX = 5_000;
/** For the first try: the client does not notice a login that was refused while it was still being written. */
const FIRST_TRY_MS = 1_000;
const RECONNECT_MS = 250;
/** A connection loss that lasts this long is explained. */
const EXPLAIN_AFTER_MS = 2_000;

/** Closes a dead connection after about six seconds. */
const PINGS = { pingInterval: 2_000, maxPingOut: 2 } as const;

/** Receives the servers that were tried, without passwords, and why there is no connection. */
export type OnTrouble = (where: string, why: string) => void;

export type ConnectNatsOptions = {
  readonly name: string;
  /** Stops waiting for a first connection. */
  readonly signal?: AbortSignal | undefined;
  /** Called when no server can be used, initially or after a connection loss; once for each reason. */
  readonly onTrouble?: OnTrouble | undefined;
  readonly reconnectTimeWait?: number;
};

/**
 * @throws When `signal` aborts.
 * @throws {PermanentError} `nats_settings` when a login file cannot be read.
 */
export async function connectNats(
  access: NatsAccess,
  { name, signal, onTrouble, reconnectTimeWait = RECONNECT_MS }: ConnectNatsOptions,
): Promise<NatsConnection> {
  signal?.throwIfAborted();
  const { login, ...options } = connectionAccess(access);
  const common: ConnectionOptions = {
    ...options,
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait,
    // A refused login may be accepted after the server has reloaded its users.
    ignoreAuthErrorAbort: true,
    // A network failure may close nothing: without these pings, the connection would count as alive for minutes.
    ...PINGS,
    // Two Error objects per request, for stack traces that are not used, halve the publishing rate.
    noAsyncTraces: true,
  };
  const where = options.servers.join(", ");
  const connection = await untilAborted(firstConnection(common, { login, where, signal, onTrouble }), signal);
  if (onTrouble !== undefined) void explainLosses(connection, common, { login, where, onTrouble });
  return connection;
}

type Trying = {
  readonly login: ConnectionAccess["login"];
  readonly where: string;
  readonly signal: AbortSignal | undefined;
  readonly onTrouble: OnTrouble | undefined;
};

async function firstConnection(
  options: ConnectionOptions,
  { login, where, signal, onTrouble }: Trying,
): Promise<NatsConnection> {
  let said: string | undefined;
  let tryMs = FIRST_TRY_MS;
  for (let waitMs = RETRY_MS; ; waitMs = Math.min(RETRY_MS_MAX, 2 * waitMs)) {
    try {
      return await tryServers(options, { signal, tryMs });
    } catch (error) {
      signal?.throwIfAborted();
      const isEarly = tryMs < TRY_MS_MAX && error instanceof errors.TimeoutError;
      const why = explainRefusal(error, { login });
      if (why !== said && !isEarly) onTrouble?.(where, why);
      said = isEarly ? said : why;
      tryMs = TRY_MS_MAX;
    }
    await delay(waitMs, undefined, signal === undefined ? {} : { signal });
  }
}

/** The client library's own retries hide the reason; without them, it forgets the servers that do not answer at first. */
async function tryServers(
  options: ConnectionOptions,
  { signal, tryMs }: { readonly signal: AbortSignal | undefined; readonly tryMs: number },
): Promise<NatsConnection> {
  const { servers = [], ...others } = options;
  const list = [servers].flat();
  let fault: unknown;
  for (const server of list) {
    signal?.throwIfAborted();
    try {
      const connection = await tryServer(server, others, tryMs);
      if (list.length === 1) return connection;
      await connection.close();
      return await connect({ ...options, waitOnFirstConnect: true });
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

/** @throws {errors.TimeoutError} After `tryMs`. */
function tryServer(server: string, options: ConnectionOptions, tryMs = TRY_MS_MAX): Promise<NatsConnection> {
  // The client library reuses its limit for every later reconnection; `tryMs` applies only to this try.
  const connecting = connect({ ...options, servers: [server], timeout: TRY_MS_MAX });
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new errors.TimeoutError()), tryMs);
  return untilAborted(connecting, limit.signal).finally(() => clearTimeout(timer));
}

/** Closes a connection that is established after the abort. */
async function untilAborted(
  connecting: Promise<NatsConnection>,
  signal: AbortSignal | undefined,
): Promise<NatsConnection> {
  if (signal === undefined) return connecting;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([connecting, aborted.promise]);
  } catch (error) {
    connecting.then((late) => late.close()).catch(() => undefined);
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
    aborted.promise.catch(() => undefined);
  }
}

/** The library reconnects silently after a connection loss: a separate try finds out the reason. */
async function explainLosses(
  connection: NatsConnection,
  options: ConnectionOptions,
  { login, where, onTrouble }: Pick<Trying, "login" | "where"> & { readonly onTrouble: OnTrouble },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const explain = async (): Promise<void> => {
    try {
      const { servers: _all, ...others } = options;
      const [server = ""] = [options.servers ?? []].flat();
      await (await tryServer(server, { ...others, name: `${options.name ?? ""}-probe` })).close();
    } catch (error) {
      if (!connection.isClosed()) onTrouble(where, explainRefusal(error, { login }));
    }
  };
  for await (const { type } of connection.status()) {
    if (type !== "disconnect" && type !== "reconnect" && type !== "close") continue;
    if (type === "disconnect" && timer !== undefined) continue;
    clearTimeout(timer);
    timer = undefined;
    if (type === "disconnect") timer = setTimeout(() => void explain(), EXPLAIN_AFTER_MS).unref();
  }
  clearTimeout(timer);
}

const UNKNOWN_AUTHORITY = new Set([
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);
const CAUSES_MAX = 5;
/** The client library's message when the server closes a connection without an error. */
const CLOSED_WITHOUT_A_WORD = "provided an undefined error";

/** Explains a failed connection to NATS in one sentence for the log, with the setting that fixes it and without secrets. */
function explainRefusal(error: unknown, { login }: { readonly login: NatsLogin | undefined }): string {
  const chain = causesOf(error);
  if (chain.some((one) => one instanceof errors.AuthorizationError)) return refusedLogin(login);
  if (chain.some((one) => one instanceof errors.UserAuthenticationExpiredError)) {
    return "the login has expired: renew the credential";
  }
  const codes = chain.map((error) => ("code" in error && typeof error.code === "string" ? error.code : ""));
  if (codes.some((code) => UNKNOWN_AUTHORITY.has(code))) {
    return "its certificate is signed by an unknown authority: set NATS_TLS_CA to the authority's certificate";
  }
  if (codes.includes("CERT_HAS_EXPIRED"))
    return "its certificate has expired: renew the server's certificate";
  if (codes.includes("ERR_TLS_CERT_ALTNAME_INVALID")) {
    return "its certificate is for other host names: put one of them into NATS_URL";
  }
  if (codes.some((code) => code.includes("CERTIFICATE_REQUIRED") || code.includes("BAD_CERTIFICATE"))) {
    return "it verifies clients and rejected this client's certificate: set NATS_TLS_CERT and NATS_TLS_KEY";
  }
  const texts = chain.map(({ message }) => message);
  if (texts.some((text) => text.includes("does not support 'tls'"))) {
    return "it offers no TLS, which NATS_URL (tls://) or NATS_TLS_CA requires";
  }
  if (
    chain.some((one) => one instanceof errors.TimeoutError) ||
    texts.some((text) => text.includes(CLOSED_WITHOUT_A_WORD))
  ) {
    return "it sends no greeting: it may verify clients (NATS_TLS_CERT, NATS_TLS_KEY), expect TLS before the greeting, or not be a NATS server";
  }
  return texts.at(-1) ?? describeError(error);
}

function refusedLogin(login: NatsLogin | undefined): string {
  if (login === undefined) {
    return "it requires a login: set NATS_NKEY_SEED, NATS_CREDS, NATS_USER and NATS_PASSWORD, or NATS_TOKEN";
  }
  const user = login.kind === "password" ? ` as ${login.user}` : "";
  return `it refused the login${user}: check ${LOGIN_SETTINGS[login.kind]}`;
}

function causesOf(error: unknown): Error[] {
  const found: Error[] = [];
  let current = error;
  while (current instanceof Error && found.length < CAUSES_MAX) {
    found.push(current);
    current = current.cause;
  }
  return found;
}
