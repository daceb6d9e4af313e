import { AnyJson, defineTool, type Effect, type Risk, type Tool, z } from "@planwright/tools-kit";

export type ToolCall = {
  readonly planId: string;
  readonly stepId: string;
  readonly item: number;
  /** Counts from 1. */
  readonly attempt: number;
  readonly args: unknown;
};

export type FakeOptions = {
  /** What every call returns, or what a call returns. Default null. */
  readonly output?: unknown;
  /** Instead of `output`. It may throw a `PermanentError`, a `TransientError` or a `NotDoneError`. */
  readonly run?: (args: Readonly<Record<string, unknown>>, call: ToolCall) => unknown;
  /** Default `low`. */
  readonly risk?: Risk;
  /** Default `read`. */
  readonly effect?: Effect;
};

const Args = z.record(z.string(), z.unknown());

/**
 * A tool that takes any arguments and returns what the test says. With the name of a built-in tool, such as `http.fetch`,
 * it replaces that one.
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
