/** A tool: its description for the planner, and the code that runs one step with it. */
import { type Effect, JsonSchema, type Risk, ToolSpec } from "@planwright/plan/tool-spec";
import { z } from "zod";
import { parseFor } from "./parse-for.ts";
import type { ToolContext } from "./tool-context.ts";

export type { Effect, Risk, ToolSpec } from "@planwright/plan/tool-spec";

/** `Context` is the tool's environment; an executor provides more than a custom tool needs. */
export type Tool<Context = ToolContext> = {
  readonly spec: ToolSpec;
  /** @throws {PermanentError} `invalid_arguments`, naming every invalid field. */
  readonly parseInput: (args: unknown) => unknown;
  /**
   * Parses the arguments, runs, and parses the output: the resolved value fits `spec.output`.
   *
   * @throws {PermanentError} If the same call would fail again.
   * @throws {TransientError} If it may succeed later.
   */
  readonly run: (args: unknown, context: Context) => Promise<unknown>;
  /** @throws {PermanentError} `invalid_output`, naming every invalid field. */
  readonly parseOutput: (output: unknown) => unknown;
  /** See `ToolDefinition`. */
  readonly reusableMs?: number;
  /** Whether a second run with the same effect key is harmless, because the target drops it. */
  readonly rejectsRepeatedKeys: (args: unknown) => boolean;
  /** Checks whether a run that ended without an outcome took effect; `unknown` if the tool cannot find out. */
  readonly check: (args: unknown, context: Context) => Promise<CheckResult>;
};

export type CheckResult =
  | { readonly kind: "done"; readonly output: unknown }
  | { readonly kind: "not-done" }
  | { readonly kind: "unknown" };

export type ToolDefinition<I, O, Context = ToolContext> = {
  readonly name: string;
  /** For a planner model: the tool's purpose, its output, and how to refer to it. */
  readonly description: string;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  readonly risk: Risk;
  readonly effect: Effect;
  readonly timeoutMs: number;
  /** Model tokens that a run usually uses, besides its arguments. Required for a tool that calls a model. */
  readonly modelTokens?: number;
  /** It takes at most a few milliseconds and waits for nothing: many of its steps can be sent together. */
  readonly light?: true;
  /** It improves a rejected draft based on `context.feedback`; only for the effect `read`. */
  readonly revises?: true;
  /**
   * An equal call of the same plan can return this call's output, while it runs and for this many milliseconds afterwards; never
   * when absent. 0 suits data that may change in the meantime. Only for read-only tools that call no model.
   */
  readonly reusableMs?: number;
  /** The pool of workers that run it; `default` when absent. */
  readonly pool?: string;
  /** Whether its output may hold untrusted text; true when absent. */
  readonly untrusted?: boolean;
  /**
   * A tool with effect `once` passes `context.effectKey()` to its target. Only a `PermanentError` or a `NotDoneError` states that
   * it has not acted; after any other error, `check` is called.
   */
  readonly run: (args: I, context: Context) => Promise<O>;
  /** For effect `once`: whether the target itself drops a repeated effect key; never when absent. */
  readonly rejectsRepeatedKeys?: (args: I) => boolean;
  /** For effect `once`: checks with the target whether the effect key has taken effect. Without it, a user has to decide. */
  readonly check?: (args: I, context: Context) => Promise<CheckResult>;
};

/** Creates a tool from a definition; the JSON Schemas of its spec are generated from the zod schemas. */
export function defineTool<I, O, Context = ToolContext>(
  definition: ToolDefinition<I, O, Context>,
): Tool<Context> {
  const { input, output, run, rejectsRepeatedKeys, check, reusableMs, ...about } = definition;
  if (reusableMs !== undefined && (about.effect !== "read" || about.modelTokens !== undefined)) {
    throw new RangeError(`${about.name}: reusableMs is only for tools that read and call no model`);
  }
  const spec = ToolSpec.parse({ ...about, input: jsonSchemaOf(input), output: jsonSchemaOf(output) });
  const parseInput = (args: unknown) => parseFor(input, args, { code: "invalid_arguments", tool: spec.name });
  const parseOutput = (value: unknown) =>
    parseFor(output, value, { code: "invalid_output", tool: spec.name });
  return {
    spec,
    ...(reusableMs === undefined ? {} : { reusableMs }),
    parseInput,
    parseOutput,
    run: async (args, context) => parseOutput(await run(parseInput(args), context)),
    rejectsRepeatedKeys: (args) => rejectsRepeatedKeys?.(parseInput(args)) ?? false,
    check: async (args, context) => (await check?.(parseInput(args), context)) ?? { kind: "unknown" },
  };
}

/** Any JSON value. Its schema is `{}`: a recursive one would not help a planner. */
export const AnyJson = z.unknown().refine((value) => value !== undefined, "is required");

/** Omits the dialect, which is always 2020-12: a schema that is shown to a model should be as short as possible. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return JsonSchema.parse(rest);
}
