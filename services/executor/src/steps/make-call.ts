/**
 * Makes a call with an effect inside a loop, so that its effect happens at most once where required:
 *
 *   CALL-1. Nothing acts before its start is stored, and only the worker of the first start acts without a check.
 *   CALL-2. A worker that continues a started call repeats it with the same effect key: without a check only when that does no
 *       harm, otherwise when the target drops repeated keys, or when the target or a user says that nothing was done.
 *   CALL-3. An unknown outcome is recorded in the plan's ledger as such, and a user decides.
 */
import type { Json, Turn } from "@planwright/plan";
import { describeError, PermanentError } from "@planwright/shared/errors";
import { setTimeout as delay } from "node:timers/promises";
import { saysNothingDone } from "../not-done-error.ts";
import type { Tool, ToolContext } from "../tools/define-tool.ts";

/** For a call that runs at most once and can be repeated under its key. */
const TRIES_MAX = 3;
const PAUSE_MS = 500;
/** How long a target may take to report whether it acted. */
const CHECK_MS = 30_000;
const MESSAGE_CHARS_MAX = 2_000;
const WORKER_LOST = "the worker that made the call ended before it could report the outcome";

/** The output of a call, or why there is none. */
export type CallEnd =
  | { readonly kind: "returned"; readonly output: unknown }
  /** It is unknown whether it took effect. */
  | { readonly kind: "in-doubt"; readonly why: string }
  | ({ readonly kind: "failed" } & Pick<Turn, "uncertain"> & { readonly error: NonNullable<Turn["error"]> });

type Calling = {
  readonly tool: Tool;
  readonly args: Json;
  /** Creates a context with the call's own effect key; the call's time starts now. */
  readonly contextNow: () => ToolContext;
  /** Aborts when the loop has to stop. */
  readonly signal: AbortSignal;
};

/**
 * @param isFirst - Whether the call was not started before, or a user has decided to run it again.
 * @throws The signal's reason when the loop has to stop.
 */
export async function makeCall(calling: Calling, isFirst: boolean): Promise<CallEnd> {
  const { tool, args, contextNow, signal } = calling;
  const isOnce = tool.spec.effect === "once";
  if (isOnce && !isFirst) {
    const settled = await settle(calling, WORKER_LOST);
    if (settled !== "repeatable") return settled;
  }
  for (let tries = 1; ; tries++) {
    try {
      return { kind: "returned", output: await tool.run(args, contextNow()) };
    } catch (error) {
      signal.throwIfAborted();
      if (!isOnce || saysNothingDone(error)) return failed(error);
      const settled = await settle(calling, describeError(error));
      if (settled !== "repeatable") return settled;
      if (tries === TRIES_MAX) return { ...failed(error), uncertain: true };
    }
    await delay(PAUSE_MS * tries, undefined, { signal });
  }
}

/** Finds out whether the call has acted, from a tool whose target drops repeated keys or can be queried. */
async function settle(
  { tool, args, contextNow, signal }: Calling,
  why: string,
): Promise<CallEnd | "repeatable"> {
  if (tool.rejectsRepeatedKeys(args)) return "repeatable";
  try {
    const both = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]);
    const checked = await tool.check(args, { ...contextNow(), signal: both });
    if (checked.kind === "done") return { kind: "returned", output: tool.parseOutput(checked.output) };
    return checked.kind === "not-done" ? "repeatable" : inDoubt(why);
  } catch (error) {
    signal.throwIfAborted();
    return inDoubt(`${why}; ${describeError(error)}`);
  }
}

function inDoubt(why: string): CallEnd {
  return { kind: "in-doubt", why: why.slice(0, MESSAGE_CHARS_MAX) };
}

function failed(error: unknown): Extract<CallEnd, { kind: "failed" }> {
  const code = error instanceof PermanentError ? error.code : "failed";
  return { kind: "failed", error: { code, message: describeError(error).slice(0, MESSAGE_CHARS_MAX) } };
}
