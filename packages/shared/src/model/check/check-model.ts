/** One tiny call to a role's model, to find out whether it answers and what it accepts. */
import { JsonSchema } from "@planwright/plan";
import { z } from "zod";
import { createModelClient } from "../create-model-client.ts";
import { extractJson } from "../extract-json.ts";
import type { ModelClientOptions } from "../model-context.ts";
import { describeError, PermanentError } from "../../errors.ts";

/** Together shorter than the command line waits for an answer. */
const LIMITS = {
  firstByteMs: 15_000,
  idleMs: 10_000,
  totalMs: 20_000,
  triesMax: 2,
  patienceMs: 4_000,
  loadingMs: 15_000,
} as const;
/** The reply has a dozen; a model that reasons needs room before it. */
const OUTPUT_TOKENS_MAX = 2_000;
const MESSAGE_CHARS_MAX = 2_000;

export const ModelCheck = z.object({
  role: z.string(),
  model: z.string(),
  /** Scheme, host and port: an address may hold secrets behind these. */
  server: z.string(),
  /** What the server names as its model; absent when it did not answer. */
  answeredBy: z.string().optional(),
  /** The form of structured output that works; `prompt`: the prompt alone asks for it. */
  format: z.enum(["json_schema", "json_object", "prompt"]).optional(),
  latencyMs: z.number().nonnegative().optional(),
  /** Whether the reply was JSON, as was asked for. */
  isJson: z.boolean().optional(),
  /** OPENAI_API_KEY is set, and not sent to this server. */
  keyWithheld: z.literal(true).optional(),
  /** The cause and the fix; absent when the model answered. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type ModelCheck = z.infer<typeof ModelCheck>;

const { $schema: _dialect, ...OK } = z.toJSONSchema(z.strictObject({ ok: z.boolean() }));
export const CHECK_SCHEMA = JsonSchema.parse(OK);

const Sent = z.looseObject({ response_format: z.looseObject({ type: z.string() }).optional() });

/** Never throws: a model that does not answer is a finding. Names no key. */
export async function checkModel(options: ModelClientOptions, signal: AbortSignal): Promise<ModelCheck> {
  let format: ModelCheck["format"];
  const watched: typeof fetch = (input, init) => {
    format = formatOf(init?.body);
    return (options.fetch ?? fetch)(input, init);
  };
  const { role, model, baseUrl, keyWithheld } = options;
  const server = URL.parse(baseUrl)?.origin ?? "";
  const about = { role, model, server, ...(keyWithheld === undefined ? {} : { keyWithheld }) };
  const { log: _log, fallbacks: _fallbacks, ...settings } = options;
  const client = createModelClient({ ...settings, limits: LIMITS, fetch: watched });
  const startedMs = performance.now();
  try {
    const reply = await client.complete({
      prompt: { name: "model.check", version: 1 },
      messages: [{ role: "user", content: 'Reply with the JSON object {"ok": true} and nothing else.' }],
      outputSchema: { name: "check", schema: CHECK_SCHEMA },
      maxOutputTokens: OUTPUT_TOKENS_MAX,
      signal,
    });
    const latencyMs = Math.round(performance.now() - startedMs);
    const isJson = extractJson(reply.text) !== undefined;
    return { ...about, answeredBy: reply.responseModel, format, latencyMs, isJson };
  } catch (error) {
    const code = error instanceof PermanentError ? error.code : "failed";
    return { ...about, error: { code, message: describeError(error).slice(0, MESSAGE_CHARS_MAX) } };
  }
}

function formatOf(body: unknown): ModelCheck["format"] {
  if (typeof body !== "string") return undefined;
  const type = Sent.parse(JSON.parse(body)).response_format?.type;
  return type === "json_schema" || type === "json_object" ? type : "prompt";
}
