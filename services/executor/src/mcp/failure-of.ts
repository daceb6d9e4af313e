/** Classifies failed calls to a server's tool. Loaded only when there is a server. */
import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { describeError, PermanentError, TransientError } from "@planwright/shared/errors";
import { NotDoneError } from "@planwright/tools-kit";

/** Errors by which a server reports that it did not start the call. */
const REFUSALS: ReadonlySet<number> = new Set([
  ProtocolErrorCode.InvalidParams,
  ProtocolErrorCode.InvalidRequest,
  ProtocolErrorCode.MethodNotFound,
]);
/** The request never reached a server. */
const NOT_REACHED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"]);

/** The library's message, in an error without a code, when the connection has just been closed. */
const NOT_CONNECTED = "Not connected";

export type CallFailure = {
  readonly error: Error;
  /** What the failure says about the session: it is gone, must be checked, or is unaffected. */
  readonly session: "lost" | "suspect" | "fine";
};

/** @param name - The tool's name in plans. */
export function failureOf(error: unknown, name: string): CallFailure {
  if (error instanceof ProtocolError) return { error: refusalOf(error, name), session: "fine" };
  if (error instanceof SdkHttpError) return httpFailure(error, name);
  if (error instanceof SdkError) return sdkFailure(error, name);
  const code = codeOf(error);
  const message = `${name}: ${describeError(error)}`;
  const isUnsent = error instanceof Error && error.message === NOT_CONNECTED;
  if (isUnsent || (code !== undefined && NOT_REACHED.has(code))) {
    return { error: new NotDoneError(message, { cause: error }), session: "lost" };
  }
  return { error: new TransientError(message, { cause: error }), session: "suspect" };
}

function refusalOf(cause: ProtocolError, name: string): Error {
  const message = `${name} was refused by its server: ${cause.message}`;
  if (REFUSALS.has(cause.code)) return new PermanentError(message, { code: "mcp_refused", cause });
  return new TransientError(message, { cause });
}

function sdkFailure(cause: SdkError, name: string): CallFailure {
  switch (cause.code) {
    case SdkErrorCode.NotConnected:
      return { error: new NotDoneError(`${name}: its server is not running`, { cause }), session: "lost" };
    case SdkErrorCode.ConnectionClosed:
      return {
        error: new TransientError(`${name}: its server ended during the call`, { cause }),
        session: "lost",
      };
    case SdkErrorCode.RequestTimeout:
      return {
        error: new TransientError(`${name}: its server does not answer`, { cause }),
        session: "suspect",
      };
    case SdkErrorCode.InvalidResult:
    case SdkErrorCode.UnsupportedResultType:
      return {
        error: new PermanentError(`${name}: its server did not respond with a result`, {
          code: "invalid_output",
          cause,
        }),
        session: "fine",
      };
    default:
      return { error: new TransientError(`${name}: ${cause.message}`, { cause }), session: "suspect" };
  }
}

function httpFailure(cause: SdkHttpError, name: string): CallFailure {
  const message = `${name}: its server responded with status ${cause.status}`;
  // The server has forgotten the session, or is rate-limiting.
  if (cause.status === 404) return { error: new NotDoneError(message, { cause }), session: "lost" };
  if (cause.status === 429) return { error: new NotDoneError(message, { cause }), session: "fine" };
  if (cause.status >= 400 && cause.status < 500) {
    return { error: new PermanentError(message, { code: "mcp_refused", cause }), session: "fine" };
  }
  return { error: new TransientError(message, { cause }), session: "suspect" };
}

function codeOf(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < 5 && current instanceof Error; depth += 1) {
    if ("code" in current && typeof current.code === "string") return current.code;
    current = current.cause;
  }
  return undefined;
}
