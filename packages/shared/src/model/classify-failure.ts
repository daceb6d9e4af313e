/** What a failed model call means for the caller. */
import { APIConnectionError, APIError } from "openai";
import { describeError, PermanentError, TransientError } from "../errors.ts";
import { finalFaultOf } from "./final-fault.ts";
import type { ModelContext } from "./model-context.ts";
import { retryAfterMs } from "./retry-delay.ts";
import type { Refusal } from "./server-quirks.ts";
import { isPage, pageText } from "./unusable-reply.ts";

/** Statuses below 500 that may pass by themselves. */
const PASSING = new Set([408, 409, 425, 429]);

/** Why there is no connection, in words. */
const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  UND_ERR_SOCKET: "connection closed",
  EPIPE: "connection closed",
  ETIMEDOUT: "connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "its host's name cannot be looked up",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
};
const CAUSES_MAX = 8;
const NO_ANSWER = "the model server does not answer";

/** The server's refusal of a request, when that is what an error is. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!isApiError(error) || error.status === undefined) return undefined;
  return { status: error.status, code: error.code ?? undefined, message: error.message };
}

/** Whatever went wrong as one of our two errors, with the original as its cause. */
export function classifyFailure(
  error: unknown,
  server: Pick<ModelContext, "now" | "settingNames" | "keyWithheld">,
): TransientError | PermanentError {
  if (error instanceof TransientError || error instanceof PermanentError) return error;
  if (error instanceof APIConnectionError) {
    // An error of ours, thrown while the SDK was reading.
    if (error.cause instanceof PermanentError) return error.cause;
    const why = connectionFaultOf(error) ?? describeError(error.cause ?? error);
    return new TransientError(`${NO_ANSWER}: ${why}`, { cause: error.cause ?? error });
  }
  const refusal = refusalOf(error);
  // A stream that broke: reset, malformed, or an error that the server sent in its middle.
  if (refusal === undefined) {
    const message = isApiError(error)
      ? "the model server sent an error within its reply"
      : "the model's reply broke off";
    return new TransientError(message, { cause: error });
  }

  const { status } = refusal;
  // A page would hide the cause, and whatever is said after it.
  if (isApiError(error) && isPage(error.message.replace(/^\d+\s+/, "")))
    error.message = `${status} ${pageText(error.message)}`;
  const final = finalFaultOf(refusal, server);
  const message = `the model server answered ${status}${final?.advice ?? ""}`;
  if (final !== undefined || (status < 500 && !PASSING.has(status))) {
    return new PermanentError(message, { cause: error, code: final?.code ?? "model_request_refused" });
  }
  const askedMs = isApiError(error) ? retryAfterMs(error.headers, server.now()) : undefined;
  return new TransientError(message, {
    cause: error,
    ...(askedMs === undefined ? {} : { retryAfterMs: askedMs }),
  });
}

/** A failure in one line: of a connection that was never made, only what a reader can use. */
export function causeOf(error: Error): string {
  return error.message.startsWith(NO_ANSWER) ? error.message : describeError(error);
}

/** Whether the server says that it is still loading the model: llama.cpp, Ollama, LM Studio and others do. */
export function isLoading(error: unknown): boolean {
  for (const current of causesOf(error)) {
    const { status = 0, message = "" } = refusalOf(current) ?? {};
    if (status >= 500 && /\bloading\b/i.test(message) && /\bmodel\b/i.test(message)) return true;
  }
  return false;
}

function connectionFaultOf(error: unknown): string | undefined {
  for (const current of causesOf(error)) {
    const code = "code" in current ? String(current.code) : "";
    if (Object.hasOwn(CONNECTION_FAULTS, code)) return CONNECTION_FAULTS[code];
  }
  return undefined;
}

function causesOf(error: unknown): Error[] {
  const causes: Error[] = [];
  let current = error;
  while (current instanceof Error && causes.length < CAUSES_MAX) {
    causes.push(current);
    current = current.cause;
  }
  return causes;
}

/** `instanceof` alone leaves the class's type parameters unknown. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}
