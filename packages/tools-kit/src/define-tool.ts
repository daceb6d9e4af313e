/** A tool: what the planner reads about it, and the code that runs one step with it. */
import { type Effect, JsonSchema, type Risk, ToolSpec } from "@planwright/plan/tool-spec";
import { z } from "zod";
import { parseFor } from "./parse-for.ts";
import type { ToolContext } from "./tool-context.ts";

export type { Effect, Risk, ToolSpec } from "@planwright/plan/tool-spec";

/** `Context` is what the tool needs of its surroundings; an executor provides more than a custom tool needs. */
export type Tool<Context = ToolContext> = {
  readonly spec: ToolSpec;
  /** @throws {PermanentError} `invalid_arguments`, naming every field that is wrong. */
  readonly parseInput: (args: unknown) => unknown;
  /**
   * Parses the arguments, runs, and parses the output: what it resolves to fits `spec.output`.
   *
   * @throws {PermanentError} When the same call would fail again.
   * @throws {TransientError} When it may succeed later.
   */
  readonly run: (args: unknown, context: Context) => Promise<unknown>;
  /** @throws {PermanentError} `invalid_output`, naming every field that is wrong. */
  readonly parseOutput: (output: unknown) => unknown;
  /** See `ToolDefinition`. */
  readonly reusableMs?: number;
  /** Whether a second run with the same effect key does no harm, because the target drops it. */
  readonly rejectsRepeatedKeys: (args: unknown) => boolean;
  /** Finds out whether a run that ended without its outcome took effect; `unknown` when the tool cannot tell. */
  readonly check: (args: unknown, context: Context) => Promise<CheckResult>;
};

export type CheckResult =
  | { readonly kind: "done"; readonly output: unknown }
  | { readonly kind: "not-done" }
  | { readonly kind: "unknown" };

export type ToolDefinition<I, O, Context = ToolContext> = {
  readonly name: string;
  /** For a planner model: its purpose, its output, and how to refer to it. */
  readonly description: string;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  readonly risk: Risk;
  readonly effect: Effect;
  readonly timeoutMs: number;
  /** Tokens that a run usually takes from a model, besides its arguments. Required for a tool that calls one. */
  readonly modelTokens?: number;
  /** It takes a few milliseconds at most and waits for nothing: steps of it may be sent many at a time. */
  readonly light?: true;
  /** It makes a rejected draft better by `context.feedback`; of effect `read` only. */
  readonly revises?: true;
  /**
   * An equal call of the same plan may be answered with its output, while it runs and for so many milliseconds
   * afterwards; never when absent. 0 suits what may change meanwhile. Of tools that read, and ask no model.
   */
  readonly reusableMs?: number;
  /** The workers that run it; `default` when absent. */
  readonly pool?: string;
  /** Whether its output may hold untrusted text; true when absent. */
  readonly untrusted?: boolean;
  /**
   * A tool with effect `once` passes `context.effectKey()` to its target. Of its errors only a `PermanentError` and
   * a `NotDoneError` say that it has not acted; after any other it is asked to `check`.
   */
  readonly run: (args: I, context: Context) => Promise<O>;
  /** Of effect `once`: whether the target itself drops a repeated effect key; never when absent. */
  readonly rejectsRepeatedKeys?: (args: I) => boolean;
  /** Of effect `once`: checks with the target whether the effect key has taken effect. Without it, a user is asked. */
  readonly check?: (args: I, context: Context) => Promise<CheckResult>;
};

/** Makes a tool of a definition; the JSON Schemas of its spec are generated from the zod schemas. */
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

/** A name that a spec shows to a model should be as short as can be: the dialect is always 2020-12. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return JsonSchema.parse(rest);
}
