/**
 * Tool specs: the information about a tool that is available without running it.
 *
 * Executors announce the specs of the tools they run; the planner writes them into its prompt and its output schema, the gateway
 * checks submitted plans against them.
 */
import { z } from "zod";
import { JsonObject } from "../values/json.ts";
import { SECRET_NAME } from "./references.ts";

/**
 * `docs.search`, or one word such as `get_weather`: letters, digits, `_`, `-` and `.`.
 *
 * Properties of every JavaScript object (`constructor`, `toString`) are not allowed: they would be found in any record by name.
 */
export const ToolName = z
  .string()
  .max(128, "a tool's name has at most 128 characters")
  .regex(
    /^[A-Za-z][\w-]*(?:\.[\w-]+)*$/,
    "a tool's name must begin with a letter, followed by letters, digits, `_`, `-` and single dots, such as docs.search or get_weather",
  )
  .refine((name) => !(name in Object.prototype), "the name is reserved");

export const Risk = z.enum(["low", "medium", "high"]);
export type Risk = z.infer<typeof Risk>;

/**
 * The effect of running a tool twice: `read` changes nothing, `idempotent` leaves the same state, `once` would act a second time.
 */
export const Effect = z.enum(["read", "idempotent", "once"]);
export type Effect = z.infer<typeof Effect>;

/** A JSON Schema (draft 2020-12) as plain data. */
export const JsonSchema = JsonObject;
export type JsonSchema = z.infer<typeof JsonSchema>;

/** One NATS subject token, because the names of pools and agents are part of subjects. */
export const PoolName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** How calls of a tool may use a secret: the operator's rule, which contains no secret value. */
export const SecretUse = z.object({
  name: z
    .string()
    .regex(SECRET_NAME, "a secret's name has capital letters, digits and `_`, such as CRM_TOKEN")
    .meta({ description: "As in `{{secret.NAME}}`." }),
  arguments: z.array(z.string().min(1).max(200)).min(1).max(20).meta({
    description:
      "Arguments that may contain the reference, such as `headers.authorization`. `*` stands for any one key or index.",
  }),
  hosts: z.array(z.string().min(1).max(300)).min(1).max(50).optional().meta({
    description:
      "The only hosts to which such a call may connect: `api.example.com` (https), or `*.example.com` for all subdomains. Add the port if it is not the default, and the prefix `http://` for unencrypted connections.",
  }),
  loops: z.literal(true).optional().meta({
    description: "Whether calls of agent loops and programs may use it too, not only the steps of a plan.",
  }),
});
export type SecretUse = z.infer<typeof SecretUse>;

export const ToolSpec = z.object({
  name: ToolName,
  description: z.string().min(1).max(2_000),
  input: JsonSchema,
  output: JsonSchema,
  risk: Risk.default("high"),
  effect: Effect.default("once"),
  timeoutMs: z.int().positive().max(86_400_000),
  pool: PoolName.default("default"),
  modelTokens: z.int().positive().max(10_000_000).optional().meta({
    description:
      "Typical number of model tokens per run in addition to the arguments; absent if the tool calls no model. With a budget, this amount is reserved for each run.",
  }),
  light: z.literal(true).optional().meta({
    description:
      "The tool takes a few milliseconds and never waits. A worker can receive many such steps in one message.",
  }),
  revises: z.literal(true).optional().meta({
    description:
      "The tool improves a rejected draft based on the draft and its review. Read-only tools only.",
  }),
  untrusted: z.boolean().default(true).meta({
    description: "The output is untrusted: prompts mark it as data, never as instructions.",
  }),
  secrets: z.array(SecretUse).max(200).optional().meta({
    description: "Names of the secrets that the tool's calls may use. Values are never sent.",
  }),
});
export type ToolSpec = z.infer<typeof ToolSpec>;
