/**
 * What the system knows about a tool without running it.
 *
 * Executors announce the specs of the tools they run; the planner writes them into its prompt and
 * its output schema, the gateway checks submitted plans against them.
 */
import { z } from "zod";
import { JsonObject } from "./json.ts";
import { SECRET_NAME } from "./references.ts";

/**
 * `docs.search`, or one word such as `get_weather`: letters, digits, `_`, `-` and `.`.
 *
 * What every JavaScript object has (`constructor`, `toString`) names no tool: it would be found in any record by name.
 */
export const ToolName = z
  .string()
  .max(128, "a tool's name has at most 128 characters")
  .regex(
    /^[A-Za-z][\w-]*(?:\.[\w-]+)*$/,
    "a tool's name begins with a letter and goes on with letters, digits, `_`, `-` and single dots, such as docs.search or get_weather",
  )
  .refine((name) => !(name in Object.prototype), "the name is reserved");

export const Risk = z.enum(["low", "medium", "high"]);
export type Risk = z.infer<typeof Risk>;

/**
 * What running a tool twice does: `read` changes nothing, `idempotent` leaves the same state,
 * `once` would act a second time.
 */
export const Effect = z.enum(["read", "idempotent", "once"]);
export type Effect = z.infer<typeof Effect>;

/** A JSON Schema (draft 2020-12) as plain data. */
export const JsonSchema = JsonObject;
export type JsonSchema = z.infer<typeof JsonSchema>;

/** One NATS subject token: pools and agents travel in subjects. */
export const PoolName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/);

/** How calls of a tool may use a secret: the operator's rule, which names no value. */
export const SecretUse = z.object({
  name: z
    .string()
    .regex(SECRET_NAME, "a secret's name has capital letters, digits and `_`, such as CRM_TOKEN")
    .meta({ description: "As in `{{secret.NAME}}`." }),
  arguments: z.array(z.string().min(1).max(200)).min(1).max(20).meta({
    description:
      "The arguments that may contain the reference, such as `headers.authorization`; `*` stands for any one key or index.",
  }),
  hosts: z.array(z.string().min(1).max(300)).min(1).max(50).optional().meta({
    description:
      "The only hosts that such a call may connect to: `api.example.com` (https), `*.example.com` for those below it, with a port if it is another, `http://` before it if it is not encrypted.",
  }),
  loops: z.literal(true).optional().meta({
    description: "Calls of agent loops and programs may use it too, not only the steps of a plan.",
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
      "Tokens that a run usually takes from a model, besides its arguments; absent when it calls none. Under a budget this much is set aside for it.",
  }),
  light: z.literal(true).optional().meta({
    description:
      "Takes a few milliseconds at most and waits for nothing: a worker may be sent many such steps in one message.",
  }),
  revises: z.literal(true).optional().meta({
    description: "It improves a rejected draft, given the draft and its review. Only tools that read can.",
  }),
  untrusted: z.boolean().default(true).meta({
    description: "Its output comes from outside and is marked as data, never as instructions, in prompts.",
  }),
  secrets: z.array(SecretUse).max(200).optional().meta({
    description: "The secrets that its calls may use, by name. No value is ever announced.",
  }),
});
export type ToolSpec = z.infer<typeof ToolSpec>;
