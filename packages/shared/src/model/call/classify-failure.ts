/** Classifies failed model calls for the caller. */
import { APIConnectionError, APIError } from "openai/error";
import { describeError, PermanentError, TransientError } from "../../errors.ts";
import type { SettingNames } from "../../service/model-address.ts";
import type { Refusal } from "./server-quirks.ts";
import { isPage, pageText } from "../reply/unusable-reply.ts";
import { NO_ANSWER } from "./watch-call.ts";

/** Transient statuses below 500. */
const PASSING = new Set([408, 409, 425, 429]);

/** Why there is no connection, as readable text. */
const CONNECTION_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  UND_ERR_SOCKET: "connection closed",
  EPIPE: "connection closed",
  ETIMEDOUT: "connection timed out",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "its host name cannot be resolved",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
};
const CAUSES_MAX = 8;

/** Returns the server's refusal of a request, if the error is one. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!isApiError(error) || error.status === undefined) return undefined;
  return { status: error.status, code: error.code ?? undefined, message: error.message };
}

/** Converts any failure to one of our two errors, with the original as its cause. */
export function classifyFailure(
  error: unknown,
  server: Settings & { readonly now: () => number },
): TransientError | PermanentError {
  if (error instanceof TransientError || error instanceof PermanentError) return error;
  if (error instanceof APIConnectionError) {
    // One of our errors, thrown while the SDK was reading.
    if (error.cause instanceof PermanentError) return error.cause;
    const why = connectionFaultOf(error) ?? describeError(error.cause ?? error);
    return new TransientError(`${NO_ANSWER}: ${why}`, { cause: error.cause ?? error });
  }
  const refusal = refusalOf(error);
  // A broken stream: reset, malformed, or with an error that the server sent in the middle.
  if (refusal === undefined) {
    const message = isApiError(error)
      ? "the model server sent an error within its reply"
      : "the model's reply broke off";
    return new TransientError(message, { cause: error });
  }

  const { status } = refusal;
  if (isApiError(error)) {
    // The SDK puts the status first, which is already in the message.
    const said = error.message.replace(/^\d{3}\s+/, "");
    // A whole page would hide the cause and the text after it.
    error.message = isPage(said) ? pageText(said) : said;
  }
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

/** Describes a failure in one line; for a connection that was never made, with only the useful parts. */
export function causeOf(error: Error): string {
  return error.message.startsWith(NO_ANSWER) ? error.message : describeError(error);
}

/** Whether the server reports that it is still loading the model, as llama.cpp, Ollama, LM Studio and others do. */
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

/**
 * The delay requested by the server, in milliseconds: `retry-after-ms` first, then `retry-after` as seconds or
 * as an HTTP date. Not capped; the caller compares it with its deadline.
 *
 * @param nowMs - Milliseconds since the epoch, for dates.
 * @returns Undefined when there is no such header, or none that can be parsed.
 */
export function retryAfterMs(headers: Pick<Headers, "get"> | undefined, nowMs: number): number | undefined {
  const inMs = decimal(headers?.get("retry-after-ms"));
  if (inMs !== undefined) return inMs;
  const value = headers?.get("retry-after");
  const inSeconds = decimal(value);
  if (inSeconds !== undefined) return inSeconds * 1_000;
  const at = Date.parse(value ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

function decimal(value: string | null | undefined): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(value ?? "") ? Number(value) : undefined;
}

/** A refusal that neither waiting nor another form of the request can change, and how the operator can fix it. */
export type FinalFault = { readonly code: string; readonly advice: string };

const SHARED_NAMES: SettingNames = {
  key: "OPENAI_API_KEY",
  url: "OPENAI_BASE_URL",
  model: "the model's name",
};

type Settings = { readonly settingNames?: SettingNames | undefined; readonly keyWithheld?: true | undefined };

/** Sent with 429, but waiting does not add credit to an account. */
const EMPTY_ACCOUNT = new Set(["insufficient_quota", "billing_hard_limit_reached"]);

const CONTENT = new Set(["content_filter", "content_policy_violation", "invalid_prompt"]);

const TOO_LONG =
  /context[ _-]?(length|size|window)|maximum (context|prompt|input)|prompt is too long|exceeds? the (available )?context/i;

const NO_MODEL =
  /no such model|(unknown|invalid) model|model\b.{0,200}\b(not found|not exist|not a valid|not available|is not loaded)|not a valid model/i;

/** Undefined when the refusal may concern one feature of the request, or may be transient. */
export function finalFaultOf(
  { status, code = "", message }: Refusal,
  { settingNames = SHARED_NAMES, keyWithheld }: Settings = {},
): FinalFault | undefined {
  const { key, url, model } = settingNames;
  if (status === 401 && keyWithheld === true) {
    const advice = `; OPENAI_API_KEY is not sent to this server: set ${key}, or OPENAI_API_KEY_EVERYWHERE=true`;
    return { code: "model_key_refused", advice };
  }
  if (status === 401) return { code: "model_key_refused", advice: `; is ${key} right?` };
  if (status === 403) return { code: "model_key_refused", advice: `; may ${key} use this model?` };
  if (status === 404 || (status === 400 && (code === "model_not_found" || NO_MODEL.test(message)))) {
    return { code: "model_not_found", advice: `; are ${url} and ${model} right?` };
  }
  if (code === "context_length_exceeded" || (isOfRequest(status) && TOO_LONG.test(message))) {
    const advice = `; the prompt is longer than the model's context: raise it on the server, or use a model with a larger one`;
    return { code: "model_context_too_long", advice };
  }
  if (EMPTY_ACCOUNT.has(code)) {
    return { code: "model_request_refused", advice: `; the account of ${key} has no credit left` };
  }
  return CONTENT.has(code) ? { code: "model_request_refused", advice: "" } : undefined;
}

/** Older versions of llama.cpp answer 500, other servers 413. */
function isOfRequest(status: number): boolean {
  return status === 400 || status === 413 || status === 422 || status === 500;
}
