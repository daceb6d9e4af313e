/** Refusals that neither waiting nor another form of the request can change, and what the operator can do about them. */
import type { SettingNames } from "../service/model-config.ts";
import type { Refusal } from "./server-quirks.ts";

export type FinalFault = { readonly code: string; readonly advice: string };

const SHARED_NAMES: SettingNames = {
  key: "OPENAI_API_KEY",
  url: "OPENAI_BASE_URL",
  model: "the model's name",
};

type Settings = { readonly settingNames?: SettingNames | undefined; readonly keyWithheld?: true | undefined };

/** Sent with 429, but waiting does not fill an account. */
const EMPTY_ACCOUNT = new Set(["insufficient_quota", "billing_hard_limit_reached"]);

const CONTENT = new Set(["content_filter", "content_policy_violation", "invalid_prompt"]);

const TOO_LONG =
  /context[ _-]?(length|size|window)|maximum (context|prompt|input)|prompt is too long|exceeds? the (available )?context/i;

const NO_MODEL =
  /no such model|(unknown|invalid) model|model\b.{0,200}\b(not found|not exist|not a valid|not available|is not loaded)|not a valid model/i;

/** Undefined when the refusal may be about one feature of the request, or may pass. */
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

/** llama.cpp answers 500 in older versions, and others 413. */
function isOfRequest(status: number): boolean {
  return status === 400 || status === 413 || status === 422 || status === 500;
}
