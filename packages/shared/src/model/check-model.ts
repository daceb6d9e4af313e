/** Makes one tiny call to a role's model to find out whether it answers and which formats it accepts. */
import { z } from "zod";
import { createModelClient } from "./create-model-client.ts";
import { extractJson } from "./reply/extract-json.ts";
import { strictSchemaOf } from "./reply/parse-structured.ts";
import type { ModelClientOptions } from "./model-context.ts";
import { describeError, PermanentError } from "../errors.ts";
import type { Bus } from "../bus/index.ts";

/**
 * Model checks over core NATS: each service that calls a model answers for its own role, because only it has the key.
 */
export const MODEL_ROLES = ["planner", "executor", "reflector"] as const;

/** Longer than any check can take. */
const REPLY_TIMEOUT_MS = 28_000;
/** How long a reply is reused: a check costs tokens. */
const KEPT_MS = 5_000;

/** Answers checks of one role until disposed. */
export function serveModelCheck(
  { connection }: Pick<Bus, "connection">,
  options: ModelClientOptions,
): AsyncDisposable {
  const stopping = new AbortController();
  let last: { readonly atMs: number; readonly checks: Promise<ModelCheck[]> } | undefined;
  const current = (): Promise<ModelCheck[]> => {
    const nowMs = performance.now();
    if (last === undefined || nowMs - last.atMs > KEPT_MS) {
      last = { atMs: nowMs, checks: checkModels(options, stopping.signal) };
    }
    return last.checks;
  };
  const subscription = connection.subscribe(subjectOf(options.role), {
    queue: options.role,
    callback(error, message) {
      if (error !== null) return;
      current()
        .then((checks) => void message.respond(JSON.stringify(checks)))
        .catch((fault: unknown) => options.log?.error({ err: fault }, "model check not answered"));
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      subscription.unsubscribe();
      stopping.abort(new DOMException("the service stops", "AbortError"));
      await last?.checks;
    },
  };
}

/** Asks one service of each role to check its models, concurrently. */
export async function askForModelChecks({ connection }: Pick<Bus, "connection">): Promise<ModelCheck[]> {
  const ask = async (role: string): Promise<ModelCheck[]> => {
    try {
      const reply = await connection.request(subjectOf(role), "", { timeout: REPLY_TIMEOUT_MS });
      return ModelChecks.parse(reply.json());
    } catch (error) {
      const message = `no ${role} answers: ${describeError(error)}; start one`;
      return [{ role, model: "", server: "", error: { code: "no_service", message } }];
    }
  };
  return (await Promise.all(MODEL_ROLES.map(ask))).flat();
}

function subjectOf(role: string): string {
  return `rpc.model.check.${role}`;
}

/** Their sum is less than the time that the command line waits for an answer. */
const LIMITS = {
  firstByteMs: 15_000,
  idleMs: 10_000,
  totalMs: 20_000,
  triesMax: 2,
  patienceMs: 4_000,
  loadingMs: 15_000,
} as const;
/** The reply has a dozen tokens; a model that reasons needs room before it. */
const OUTPUT_TOKENS_MAX = 2_000;
const MESSAGE_CHARS_MAX = 2_000;

export const ModelCheck = z.object({
  role: z.string(),
  /** Number of the role's fallback model, from 1; absent for the role's main model. */
  fallback: z.int().positive().optional(),
  model: z.string(),
  /** Scheme, host and port only: the rest of an address may contain secrets. */
  server: z.string(),
  /** The model named in the server's reply; absent when it did not answer. */
  answeredBy: z.string().optional(),
  /** The supported form of structured output; `prompt`: only the prompt requests it. */
  format: z.enum(["json_schema", "json_object", "prompt"]).optional(),
  latencyMs: z.number().nonnegative().optional(),
  /** Whether the reply was JSON, as requested. */
  isJson: z.boolean().optional(),
  /** Set if OPENAI_API_KEY is not sent to this server: the setting for a key for this server. */
  keyWithheld: z.string().optional(),
  /** The cause and the fix; absent if the model answered. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type ModelCheck = z.infer<typeof ModelCheck>;

/** The checks of one role: its own model, then its fallbacks. */
export const ModelChecks = z.array(ModelCheck);

export const CHECK_SCHEMA = strictSchemaOf(z.strictObject({ ok: z.boolean() }));

const Sent = z.looseObject({ response_format: z.looseObject({ type: z.string() }).optional() });

/** Calls a role's model and each of its fallbacks, concurrently. Never throws. */
export function checkModels(options: ModelClientOptions, signal: AbortSignal): Promise<ModelCheck[]> {
  const { log: _log, fallbacks = [], ...own } = options;
  const targets = [own, ...fallbacks.map((target) => ({ ...own, ...NO_TARGET, ...target }))];
  return Promise.all(
    targets.map(async (target, index) => {
      const { role, ...check } = await checkModel(target, signal);
      return index === 0 ? { role, ...check } : { role, fallback: index, ...check };
    }),
  );
}

/** Options that a fallback sets itself or does not have. */
const NO_TARGET = { keyHeader: undefined, headers: {}, keyWithheld: undefined, settingNames: undefined };

/** Never throws: a model that does not answer is a result too. The result contains no key. */
async function checkModel(
  settings: Omit<ModelClientOptions, "log" | "fallbacks">,
  signal: AbortSignal,
): Promise<ModelCheck> {
  let format: ModelCheck["format"];
  const watched: typeof fetch = (input, init) => {
    if (init?.method === "POST" || init?.method === "post") format = formatOf(init.body);
    return (settings.fetch ?? fetch)(input, init);
  };
  const { role, model, baseUrl, keyWithheld, settingNames } = settings;
  const server = URL.parse(baseUrl)?.origin ?? "";
  const key = keyWithheld === true ? { keyWithheld: settingNames?.key ?? "a separate key" } : {};
  const about = { role, model, server, ...key };
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
