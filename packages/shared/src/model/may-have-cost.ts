import { APIError } from "openai/error";
import { PermanentError } from "../errors.ts";
import { ModelUnavailableError } from "./model-patience.ts";

/** The connection was never there. */
const NEVER_SENT = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);
/** Refused here, before anything was sent. */
const OWN_REFUSALS = new Set(["model_key_missing", "no_token_limit"]);
const CAUSES_MAX = 8;

/** Whether a call that failed may have been counted by the server: it was sent, and not refused with a status. */
export function mayHaveCost(error: unknown): boolean {
  let current = error;
  for (let depth = 0; current instanceof Error && depth < CAUSES_MAX; depth++) {
    if (current instanceof APIError && typeof current.status === "number") return false;
    if (current instanceof PermanentError && OWN_REFUSALS.has(current.code)) return false;
    if ("code" in current && NEVER_SENT.has(String(current.code))) return false;
    current = current instanceof ModelUnavailableError ? current.last : current.cause;
  }
  return true;
}
