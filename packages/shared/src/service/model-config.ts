/**
 * Which model a service calls, on which server, and how.
 *
 * Every role has its own `<ROLE>_MODEL`, and can have its own server: `<ROLE>_BASE_URL`, with `<ROLE>_API_KEY` and
 * `<ROLE>_HEADERS`. A role without one uses the server of `OPENAI_BASE_URL`, with that server's key and headers.
 */
import { z } from "zod";
import { isSameServer, type ModelTarget } from "./model-address.ts";
import { type Environment, readConfig } from "./read-config.ts";
import { boolean, decimal, headers, integer, json, oneOf, secret, text, url } from "./config-values.ts";

/** US dollars per million tokens of one model. */
export const ModelPrice = z.strictObject({
  inputUsdPerMillion: z.number().nonnegative(),
  /** For tokens from the server's prompt cache; when absent, the price of other input tokens. */
  cachedInputUsdPerMillion: z.number().nonnegative().optional(),
  outputUsdPerMillion: z.number().nonnegative(),
});
export type ModelPrice = z.output<typeof ModelPrice>;

/** Prices by model name. */
export const ModelPrices = z.record(z.string(), ModelPrice);
export type ModelPrices = z.output<typeof ModelPrices>;

/** A role that calls a model, as spelled in its variables. */
export type ModelRole = "PLANNER" | "EXECUTOR" | "REFLECTOR";

export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** The settings for `createModelClient`. */
export type ModelSettings = ModelTarget & {
  readonly prices: ModelPrices;
  readonly temperature?: number;
  readonly reasoningEffort?: ReasoningEffort;
  readonly limits: {
    readonly firstByteMs: number;
    readonly idleMs: number;
    readonly totalMs: number;
    readonly triesMax: number;
    readonly patienceMs: number;
    readonly loadingMs: number;
  };
  /** Tried in order when the model itself cannot answer. */
  readonly fallbacks: readonly ModelTarget[];
};

export const OPENAI_BASE_URL_DEFAULT = "https://api.openai.com/v1";

/** A strong planner determines the cost of the whole plan; a small model is enough for steps and reviews. */
const MODEL_DEFAULTS: Readonly<Record<ModelRole, string>> = {
  PLANNER: "gpt-5.4",
  EXECUTOR: "gpt-5.4-mini",
  REFLECTOR: "gpt-5.4-mini",
};

/** The same goal should produce the same plan; the output of steps may vary. */
const PLANNER_TEMPERATURE = 0;

const FALLBACKS_MAX = 5;
const HOUR_MS = 3_600_000;

const serverUrl = () => url({ schemes: ["http", "https"] });
const milliseconds = () => integer({ min: 1, max: HOUR_MS, unit: "milliseconds" });

const Fallback = z.union([
  z
    .string()
    .min(1)
    .transform((model) => ({ model })),
  z.strictObject({
    model: z.string().min(1),
    baseUrl: z
      .url()
      .transform((value) => value.replace(/\/+$/, ""))
      .optional(),
    apiKey: z.string().min(1).optional(),
    keyHeader: z.string().min(1).optional(),
    headers: z.record(z.string(), z.string()).optional(),
  }),
]);
const Fallbacks = z.array(Fallback).max(FALLBACKS_MAX);
const FALLBACKS_WANTED = `JSON such as ["some-model", {"model": "qwen3", "baseUrl": "http://localhost:11434/v1"}], ${FALLBACKS_MAX} entries at most`;

const sharedShape = {
  OPENAI_BASE_URL: serverUrl().default(OPENAI_BASE_URL_DEFAULT).meta({
    description:
      "Base URL of the OpenAI-compatible model server, including its version path. A query string, such as Azure's `?api-version=2024-10-21`, is sent with every request.",
  }),
  OPENAI_API_KEY: secret({ wanted: "the model server's key" }).optional().meta({
    description:
      "Key for the model server at OPENAI_BASE_URL. It is sent to no other server unless OPENAI_API_KEY_EVERYWHERE is set. Without a key, `npm start` uses the built-in demo model.",
  }),
  OPENAI_API_KEY_EVERYWHERE: boolean().default(false).meta({
    description:
      "Whether OPENAI_API_KEY is also sent to the model servers of roles that have their own base URL but no key.",
  }),
  OPENAI_KEY_HEADER: text({ wanted: "the name of a header" }).optional().meta({
    description: "Header that carries the key, such as Azure's `api-key`. Default: `Authorization: Bearer`.",
  }),
  OPENAI_HEADERS: headers().optional().meta({
    description:
      "Headers for every request to OPENAI_BASE_URL, such as `HTTP-Referer=https://example.com,X-Title=Planwright` for OpenRouter.",
  }),
  MODEL_PRICES: json(ModelPrices, {
    wanted: 'JSON such as {"some-model": {"inputUsdPerMillion": 0.25, "outputUsdPerMillion": 2}}',
  })
    .default({})
    .meta({
      description:
        "Prices in US dollars per million tokens, by model. For models that are not listed, the cost is unknown.",
    }),
  MODEL_FIRST_BYTE_MS: milliseconds().default(120_000).meta({
    description:
      "Time limit for the first byte of a reply, if the model server responds to other requests. Local servers send nothing while they process a long prompt or load a model. For a server that responds to nothing, MODEL_PATIENCE_MS applies.",
  }),
  MODEL_IDLE_MS: milliseconds().default(30_000).meta({
    description:
      "Time limit for a pause within a reply. Increase it for servers that send nothing while the model is reasoning.",
  }),
  MODEL_CALL_MS: milliseconds().default(300_000).meta({
    description: "Time limit for one model call.",
  }),
  MODEL_TRIES_MAX: integer({ min: 1, max: 100, unit: "calls" }).default(8).meta({
    description:
      "Maximum number of consecutive failed calls in one piece of work (a draft, a step, a review, an answer) before it fails with the cause.",
  }),
  MODEL_PATIENCE_MS: milliseconds().default(30_000).meta({
    description:
      "How long a piece of work keeps calling a model server that does not respond, including the time of calls without a response. If the server requests a longer delay, the work fails immediately. Increase it for servers that handle only one request at a time.",
  }),
  MODEL_LOADING_MS: milliseconds().default(300_000).meta({
    description:
      "How long a piece of work waits for a model server that reports that it is loading the model. These calls do not count as failures.",
  }),
};

const ownShape = (role: ModelRole) => {
  const who = role.toLowerCase();
  return {
    MODEL: text({ wanted: "a model's name" })
      .default(MODEL_DEFAULTS[role])
      .meta({ description: `Model that the ${who} calls.` }),
    BASE_URL: serverUrl()
      .optional()
      .meta({ description: `Base URL of the ${who}'s model server. Default: OPENAI_BASE_URL.` }),
    API_KEY: secret({ wanted: "the model server's key" })
      .optional()
      .meta({
        description: `Key for the ${who}'s model server. Default: OPENAI_API_KEY, sent only to the server at OPENAI_BASE_URL.`,
      }),
    KEY_HEADER: text({ wanted: "the name of a header" })
      .optional()
      .meta({ description: `Header that carries the key for the ${who}'s own model server.` }),
    HEADERS: headers()
      .optional()
      .meta({ description: `Headers for every request to the ${who}'s own model server.` }),
    TEMPERATURE: decimal({ min: 0, max: 2 })
      .optional()
      .meta({
        description: `Temperature of the ${who}'s model, if the model supports it. Default: ${role === "PLANNER" ? "0, so that the same goal results in the same plan" : "the server's default"}.`,
      }),
    REASONING_EFFORT: oneOf(REASONING_EFFORTS)
      .optional()
      .meta({
        description: `Reasoning effort of the ${who}'s model, if the model supports it. Default: the server's default.`,
      }),
    FALLBACKS: json(Fallbacks, { wanted: FALLBACKS_WANTED })
      .meta({ wanted: FALLBACKS_WANTED, secret: true })
      .optional()
      .meta({
        description: `Fallback models that the ${who} tries, in this order, if its model is unavailable. An entry without a base URL uses the ${who}'s model server. An entry with a base URL can have \`apiKey\`, \`keyHeader\` and \`headers\`.`,
      }),
  };
};
type OwnShape = ReturnType<typeof ownShape>;

type RoleShape<Role extends ModelRole> = typeof sharedShape & {
  [Name in keyof OwnShape as `${Role}_${Name}`]: OwnShape[Name];
};

/**
 * Returns the server of OPENAI_BASE_URL, or the public one, as configured for all roles; undefined when the environment
 * configures none.
 *
 * @throws {ConfigError} When one of its variables is malformed.
 */
export function sharedModelServer(env: Environment): Omit<ModelTarget, "model"> | undefined {
  const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_KEY_HEADER, OPENAI_HEADERS } = sharedShape;
  const Server = z.object({ OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_KEY_HEADER, OPENAI_HEADERS });
  if ((env["OPENAI_BASE_URL"] ?? "") === "" && (env["OPENAI_API_KEY"] ?? "") === "") return undefined;
  const values = readConfig(Server, env);
  return {
    baseUrl: values.OPENAI_BASE_URL,
    apiKey: values.OPENAI_API_KEY,
    ...(values.OPENAI_KEY_HEADER === undefined ? {} : { keyHeader: values.OPENAI_KEY_HEADER }),
    ...(values.OPENAI_HEADERS === undefined ? {} : { headers: values.OPENAI_HEADERS }),
  };
}

/** The variables of one role; spread them into a service's schema. */
export function modelConfig<Role extends ModelRole>(role: Role): RoleShape<Role> {
  const own = Object.entries(ownShape(role)).map(([name, schema]) => [`${role}_${name}`, schema] as const);
  const shape = { ...sharedShape, ...Object.fromEntries(own) };
  // Computed keys widen to an index signature; these are exactly those of RoleShape.
  return shape as unknown as RoleShape<Role>;
}

/** The settings of `modelConfig(role)` that apply to one role, including shared ones. */
export function modelSettings<Role extends ModelRole>(
  config: z.output<z.ZodObject<RoleShape<Role>>>,
  role: Role,
): ModelSettings {
  // Output schemas, because the values are parsed already and must not be transformed again.
  const values = Object.fromEntries(
    Object.entries(config).map(([name, value]) => [name.replace(new RegExp(`^${role}_`), ""), value]),
  ) as unknown as RoleValues;
  const target = targetOf(values, role);
  const temperature = values.TEMPERATURE ?? (role === "PLANNER" ? PLANNER_TEMPERATURE : undefined);
  const { REASONING_EFFORT: reasoningEffort } = values;
  return {
    ...target,
    prices: values.MODEL_PRICES,
    ...(temperature === undefined ? {} : { temperature }),
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    limits: {
      firstByteMs: values.MODEL_FIRST_BYTE_MS,
      idleMs: values.MODEL_IDLE_MS,
      totalMs: values.MODEL_CALL_MS,
      triesMax: values.MODEL_TRIES_MAX,
      patienceMs: values.MODEL_PATIENCE_MS,
      loadingMs: values.MODEL_LOADING_MS,
    },
    fallbacks: (values.FALLBACKS ?? []).map((fallback) =>
      fallbackOf(fallback, target, { values, list: `${role}_FALLBACKS` }),
    ),
  };
}

type RoleValues = z.output<z.ZodObject<typeof sharedShape & OwnShape>>;

/** Returns the role's server with its credentials: a key is sent only to the server it is configured for. */
function targetOf(values: RoleValues, role: ModelRole): ModelTarget {
  const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_API_KEY_EVERYWHERE, MODEL: model, BASE_URL } = values;
  const baseUrl = BASE_URL ?? OPENAI_BASE_URL;
  const isShared = isSameServer(baseUrl, OPENAI_BASE_URL);
  const apiKey = values.API_KEY ?? (isShared || OPENAI_API_KEY_EVERYWHERE ? OPENAI_API_KEY : undefined);
  const keyHeader = values.KEY_HEADER ?? (isShared ? values.OPENAI_KEY_HEADER : undefined);
  const sent = values.HEADERS ?? (isShared ? values.OPENAI_HEADERS : undefined);
  return {
    baseUrl,
    apiKey,
    model,
    ...(keyHeader === undefined ? {} : { keyHeader }),
    ...(sent === undefined ? {} : { headers: sent }),
    ...withheld(apiKey, values),
    settingNames: {
      key: BASE_URL !== undefined || values.API_KEY !== undefined ? `${role}_API_KEY` : "OPENAI_API_KEY",
      url: BASE_URL === undefined ? "OPENAI_BASE_URL" : `${role}_BASE_URL`,
      model: `${role}_MODEL`,
    },
  };
}

function withheld(
  apiKey: string | undefined,
  { OPENAI_API_KEY }: Pick<RoleValues, "OPENAI_API_KEY">,
): Pick<ModelTarget, "keyWithheld"> {
  return apiKey === undefined && OPENAI_API_KEY !== undefined ? { keyWithheld: true } : {};
}

function fallbackOf(
  { model, ...given }: z.output<typeof Fallback>,
  role: ModelTarget,
  { values, list }: { readonly values: RoleValues; readonly list: string },
): ModelTarget {
  const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_KEY_HEADER, OPENAI_HEADERS } = values;
  const own: Partial<ModelTarget> = definedOf(given);
  const { baseUrl = role.baseUrl } = own;
  const inList = { key: `apiKey in ${list}`, url: `baseUrl in ${list}`, model: `the model in ${list}` };
  if (isSameServer(baseUrl, role.baseUrl)) {
    const names = { ...(role.settingNames ?? inList), model: inList.model };
    return { ...role, ...own, baseUrl, model, settingNames: names };
  }
  const shared = isSameServer(baseUrl, OPENAI_BASE_URL)
    ? {
        apiKey: OPENAI_API_KEY,
        keyHeader: OPENAI_KEY_HEADER,
        ...(OPENAI_HEADERS === undefined ? {} : { headers: OPENAI_HEADERS }),
      }
    : { apiKey: undefined };
  const target = { ...shared, ...own, baseUrl, model, settingNames: inList };
  return { ...target, ...withheld(target.apiKey, values) };
}

function definedOf(given: Partial<z.output<typeof Fallback>>): Partial<ModelTarget> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
