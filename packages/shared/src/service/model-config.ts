/**
 * Which model a service calls.
 *
 * Every role has its own `<ROLE>_MODEL`, `<ROLE>_BASE_URL` and `<ROLE>_API_KEY`; the last two fall
 * back to `OPENAI_BASE_URL` and `OPENAI_API_KEY`.
 */
import { z } from "zod";
import { json, secret, text, url } from "./config-values.ts";

/** US dollars per million tokens of one model. */
export const ModelPrice = z.strictObject({
  inputUsdPerMillion: z.number().nonnegative(),
  outputUsdPerMillion: z.number().nonnegative(),
});
export type ModelPrice = z.output<typeof ModelPrice>;

/** Prices by model name. */
export const ModelPrices = z.record(z.string(), ModelPrice);
export type ModelPrices = z.output<typeof ModelPrices>;

/** A role that calls a model, as its variables spell it. */
export type ModelRole = "PLANNER" | "EXECUTOR" | "REFLECTOR";

/** What `createModelClient` has to know about the server. */
export type ModelSettings = {
  readonly baseUrl: string;
  /** Absent when none is set: local servers need none, the public one refuses the call. */
  readonly apiKey: string | undefined;
  readonly model: string;
  readonly prices: ModelPrices;
};

export const OPENAI_BASE_URL_DEFAULT = "https://api.openai.com/v1";

/** A strong planner decides the cost of the whole plan; steps and judgements do with a small model. */
const MODEL_DEFAULTS: Readonly<Record<ModelRole, string>> = {
  PLANNER: "gpt-5.4",
  EXECUTOR: "gpt-5.4-mini",
  REFLECTOR: "gpt-5.4-mini",
};

const serverUrl = () => url({ schemes: ["http", "https"] });

const sharedShape = {
  OPENAI_BASE_URL: serverUrl().default(OPENAI_BASE_URL_DEFAULT).meta({
    description: "Base URL of the OpenAI-compatible model server, with its version path.",
  }),
  OPENAI_API_KEY: secret({ wanted: "the model server's key" }).optional().meta({
    description: "Key of the model server. `npm start` without one uses the offline model.",
  }),
  MODEL_PRICES: json(ModelPrices, {
    wanted: 'JSON such as {"some-model": {"inputUsdPerMillion": 0.25, "outputUsdPerMillion": 2}}',
  })
    .default({})
    .meta({
      description:
        "US dollars per million tokens, by model. The cost of a model that it does not name is unknown.",
    }),
};

type RoleShape<Role extends ModelRole> = typeof sharedShape &
  Record<`${Role}_MODEL`, z.ZodDefault<ReturnType<typeof text>>> &
  Record<`${Role}_BASE_URL`, z.ZodOptional<ReturnType<typeof serverUrl>>> &
  Record<`${Role}_API_KEY`, z.ZodOptional<ReturnType<typeof secret>>>;

/** The variables of one role, to be spread into a service's schema. */
export function modelConfig<Role extends ModelRole>(role: Role): RoleShape<Role> {
  const who = role.toLowerCase();
  const shape = {
    ...sharedShape,
    [`${role}_MODEL`]: text({ wanted: "a model's name" })
      .default(MODEL_DEFAULTS[role])
      .meta({ description: `The model that the ${who} calls.` }),
    [`${role}_BASE_URL`]: serverUrl()
      .optional()
      .meta({ description: `The ${who}'s own model server; OPENAI_BASE_URL otherwise.` }),
    [`${role}_API_KEY`]: secret({ wanted: "the model server's key" })
      .optional()
      .meta({ description: `Key of the ${who}'s own model server; OPENAI_API_KEY otherwise.` }),
  };
  // Computed keys widen to an index signature; the three above are exactly those of RoleShape.
  return shape as unknown as RoleShape<Role>;
}

/** The settings of `modelConfig(role)` that apply to one role, after falling back. */
export function modelSettings<Role extends ModelRole>(
  config: z.output<z.ZodObject<RoleShape<Role>>>,
  role: Role,
): ModelSettings {
  const { OPENAI_BASE_URL, OPENAI_API_KEY, MODEL_PRICES, ...own } = RoleValues.parse(
    Object.fromEntries(Object.entries(config).map(([name, value]) => [name.replace(`${role}_`, ""), value])),
  );
  return {
    baseUrl: own.BASE_URL ?? OPENAI_BASE_URL,
    apiKey: own.API_KEY ?? OPENAI_API_KEY,
    model: own.MODEL,
    prices: MODEL_PRICES,
  };
}

const RoleValues = z.object({
  OPENAI_BASE_URL: z.string(),
  OPENAI_API_KEY: z.string().optional(),
  MODEL_PRICES: ModelPrices,
  MODEL: z.string(),
  BASE_URL: z.string().optional(),
  API_KEY: z.string().optional(),
});
