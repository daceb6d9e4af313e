/** A tool: what the planner reads about it, and the code that runs one step with it. */
import { type Effect, JsonSchema, type Risk, ToolSpec } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import type { ToolContext } from "./tool-context.ts";

export type {
  DataSource,
  OpenSource,
  SourceCatalog,
  ToolContext,
  Workspace,
  WrittenFile,
} from "./tool-context.ts";

export type Tool = {
  readonly spec: ToolSpec;
  /** @throws {PermanentError} `invalid_arguments`, naming every field that is wrong. */
  readonly parseInput: (args: unknown) => unknown;
  /**
   * Parses the arguments, runs, and parses the output: what it resolves to fits `spec.output`.
   *
   * @throws {PermanentError} When the same call would fail again.
   * @throws {TransientError} When it may succeed later.
   */
  readonly run: (args: unknown, context: ToolContext) => Promise<unknown>;
  /** @throws {PermanentError} `invalid_output`, naming every field that is wrong. */
  readonly parseOutput: (output: unknown) => unknown;
};

export type ToolDefinition<I, O> = {
  readonly name: string;
  /** For a planner model: what it is for, what its output looks like, how to refer to it. */
  readonly description: string;
  readonly input: z.ZodType<I>;
  readonly output: z.ZodType<O>;
  readonly risk: Risk;
  readonly effect: Effect;
  readonly timeoutMs: number;
  /** The workers that run it; `default` when absent. */
  readonly pool?: string;
  /** Whether its output may hold text that strangers wrote; true when absent. */
  readonly untrusted?: boolean;
  readonly run: (args: I, context: ToolContext) => Promise<O>;
};

/** Makes a tool of a definition; the JSON Schemas of its spec are generated from the zod schemas. */
export function defineTool<I, O>({ input, output, run, ...about }: ToolDefinition<I, O>): Tool {
  const spec = ToolSpec.parse({ ...about, input: jsonSchemaOf(input), output: jsonSchemaOf(output) });
  const parseInput = (args: unknown) => parse(input, args, { code: "invalid_arguments", tool: spec.name });
  const parseOutput = (value: unknown) => parse(output, value, { code: "invalid_output", tool: spec.name });
  return {
    spec,
    parseInput,
    parseOutput,
    run: async (args, context) => parseOutput(await run(parseInput(args), context)),
  };
}

/** Any JSON value. Its schema is `{}`: a recursive one would say no more to a planner. */
export const AnyJson = z.unknown().refine((value) => value !== undefined, "is required");

/** A name that a spec shows to a model should be as short as can be: the dialect is always 2020-12. */
function jsonSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return JsonSchema.parse(rest);
}

function parse<T>(
  schema: z.ZodType<T>,
  value: unknown,
  { code, tool }: { readonly code: "invalid_arguments" | "invalid_output"; readonly tool: string },
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${fieldName(path)}: ${message}`);
  const what = code === "invalid_arguments" ? "arguments" : "output";
  // Without its cause: that is the same faults once more, as JSON, and what fails a step is shown to people.
  throw new PermanentError(`invalid ${what} of ${tool}: ${faults.join("; ")}`, { code });
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "(all)";
  return path
    .map((part, index) =>
      typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`,
    )
    .join("");
}
