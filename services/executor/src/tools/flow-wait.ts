import { setTimeout } from "node:timers/promises";
import { z } from "zod";
import { AnyJson, defineTool, type Tool } from "./define-tool.ts";

const WAIT_MS_MAX = 600_000;
/** Lets the longest wait finish before the deadline. */
const MARGIN_MS = 10_000;

/** Waits, then returns a value: for diagnostics, and for pauses in a plan. */
export function flowWait(): Tool {
  return defineTool({
    name: "flow.wait",
    description:
      "Wait, then return `value`, or null if there is none. For diagnostics and deliberate pauses: steps already wait for their dependencies. " +
      'The output is the value itself: {"$ref": "s1.output"}.',
    input: z.strictObject({
      ms: z.int().min(0).max(WAIT_MS_MAX).describe("How long to wait, in milliseconds."),
      value: z.unknown().describe("Any JSON value.").optional(),
    }),
    output: AnyJson,
    risk: "low",
    effect: "read",
    timeoutMs: WAIT_MS_MAX + MARGIN_MS,
    run: async ({ ms, value }, { signal }) => {
      await wait(ms, signal);
      return value ?? null;
    },
  });
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
}
