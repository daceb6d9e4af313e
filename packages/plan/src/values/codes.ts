/** Codes in events that rules depend on. */

/** The `code` of a failure whose cause is a model server that stopped answering, or never did. */
export const MODEL_UNAVAILABLE = "model_unavailable";

/** Failures that any other model call would have too: no call to the same server can succeed. */
export const MODEL_SERVER_FAILURES: ReadonlySet<string> = new Set([
  MODEL_UNAVAILABLE,
  "model_key_missing",
  "model_key_refused",
  "model_not_found",
  "model_server_redirects",
  "model_server_sent_page",
]);

/** The `code` of a step whose work message was dead-lettered: too many deliveries failed, or it was malformed. */
export const DELIVERIES_EXHAUSTED = "deliveries_exhausted";

/** An attempt that used up its allowance: it is retried with a larger one while the budget permits. */
export const ALLOWANCE_SPENT = "allowance_spent";

export const ANSWER_STATUSES = [
  "success",
  "partial",
  "no_match",
  "insufficient_stock",
  "invalid_request",
  "unsupported_intent",
  "failed",
] as const;
