/** What a failed model call means for the caller. */
import { APIConnectionError, APIError } from "openai";
import { PermanentError, TransientError } from "../errors.ts";
import { retryAfterMs } from "./retry-delay.ts";
import type { Refusal } from "./server-quirks.ts";
import { isPage, pageText } from "./unusable-reply.ts";

const STATUS_CODES: Readonly<Record<number, string>> = {
  401: "model_key_refused",
  403: "model_key_refused",
  404: "model_not_found",
};

/** What the one who runs the system can do about it. */
const ADVICE: Readonly<Record<number, string>> = {
  401: "; is OPENAI_API_KEY right?",
  403: "; may OPENAI_API_KEY use this model?",
  404: "; are OPENAI_BASE_URL and the model's name right?",
};

/** Statuses below 500 that may pass by themselves. */
const PASSING = new Set([408, 409, 425, 429]);

/** Sent with 429, but waiting does not fill an account. */
const EMPTY_ACCOUNT = new Set(["insufficient_quota", "billing_hard_limit_reached"]);

/** The server's refusal of a request, when that is what an error is. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!isApiError(error) || error.status === undefined) return undefined;
  return { status: error.status, code: error.code ?? undefined, message: error.message };
}

/** Whatever went wrong as one of our two errors, with the original as its cause. */
export function classifyFailure(error: unknown, nowMs: number): TransientError | PermanentError {
  if (error instanceof TransientError || error instanceof PermanentError) return error;
  if (error instanceof APIConnectionError) {
    // An error of ours, thrown while the SDK was reading.
    if (error.cause instanceof PermanentError) return error.cause;
    return new TransientError("cannot reach the model server", { cause: error.cause ?? error });
  }
  const refusal = refusalOf(error);
  // A stream that broke: reset, malformed, or an error that the server sent in its middle.
  if (refusal === undefined) {
    const message = isApiError(error)
      ? "the model server sent an error within its reply"
      : "the model's reply broke off";
    return new TransientError(message, { cause: error });
  }

  const { status, code } = refusal;
  // A page would hide the cause, and whatever is said after it.
  if (isApiError(error) && isPage(error.message.replace(/^\d+\s+/, "")))
    error.message = `${status} ${pageText(error.message)}`;
  const message = `the model server answered ${status}${ADVICE[status] ?? ""}`;
  const passing = status >= 500 || (PASSING.has(status) && !EMPTY_ACCOUNT.has(code ?? ""));
  if (!passing) {
    return new PermanentError(message, {
      cause: error,
      code: STATUS_CODES[status] ?? "model_request_refused",
    });
  }
  const askedMs = isApiError(error) ? retryAfterMs(error.headers, nowMs) : undefined;
  return new TransientError(message, {
    cause: error,
    ...(askedMs === undefined ? {} : { retryAfterMs: askedMs }),
  });
}

/** `instanceof` alone leaves the class's type parameters unknown. */
function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}
