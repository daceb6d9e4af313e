import { AnyJson, defineTool, type Effect, type Risk, type Tool, z } from "@planwright/tools-kit";

export type ToolCall = {
  readonly planId: string;
  readonly stepId: string;
  readonly item: number;
  /** The attempt's number, starting at 1. */
  readonly attempt: number;
  readonly args: unknown;
};

export type FakeOptions = {
  /** The result of every call. Default null. */
  readonly output?: unknown;
  /** Computes the result instead of `output`. Can throw a `PermanentError`, a `TransientError` or a `NotDoneError`. */
  readonly run?: (args: Readonly<Record<string, unknown>>, call: ToolCall) => unknown;
  /** Default `low`. */
  readonly risk?: Risk;
  /** Default `read`. */
  readonly effect?: Effect;
};

const Args = z.record(z.string(), z.unknown());

/**
 * Creates a tool that accepts any arguments and returns the test's result. With the name of a built-in tool, such as
 * `http.fetch`, it replaces that tool.
 */
export function fakeTool(name: string, options: FakeOptions = {}): Tool {
  const { output = null, run = () => output, risk = "low", effect = "read" } = options;
  return defineTool({
    name,
    description: `A fake of the tool ${name}.`,
    input: Args,
    output: AnyJson,
    risk,
    effect,
    timeoutMs: 60_000,
    untrusted: false,
    run: async (args, { planId, stepId, item, attempt }) =>
      run(args, { planId, stepId, item, attempt, args }),
    ...(effect === "once" ? { rejectsRepeatedKeys: () => true } : {}),
  });
}
