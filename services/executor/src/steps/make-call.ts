/**
 * Makes a call inside a loop that changes something, so that its effect happens at most once where required:
 *
 *   CALL-1. Nothing acts before its start is stored, and only the first one's worker acts unasked.
 *   CALL-2. A worker that continues a started call makes that call again, with the same effect key: unasked only when
 *       that does no harm, else when the target drops repeated keys, says that nothing was done, or a person does.
 *   CALL-3. An unknown outcome is recorded in the plan's ledger as such, and a user decides.
 */
import type { Json, Turn } from "@planwright/plan";
import { describeError, PermanentError } from "@planwright/shared/errors";
import { setTimeout as delay } from "node:timers/promises";
import { saysNothingDone } from "../not-done-error.ts";
import type { Tool, ToolContext } from "../tools/define-tool.ts";

/** Of a call that runs at most once and may be repeated under its key. */
const TRIES_MAX = 3;
const PAUSE_MS = 500;
/** How long a target may take to say whether it acted. */
const CHECK_MS = 30_000;
const MESSAGE_CHARS_MAX = 2_000;
const WORKER_LOST = "the worker that made the call ended before it could report the outcome";

/** What a call returned, or why it returned nothing that is known of. */
export type CallEnd =
  | { readonly kind: "returned"; readonly output: unknown }
  /** It is unknown whether it took effect. */
  | { readonly kind: "in-doubt"; readonly why: string }
  | ({ readonly kind: "failed" } & Pick<Turn, "uncertain"> & { readonly error: NonNullable<Turn["error"]> });

type Calling = {
  readonly tool: Tool;
  readonly args: Json;
  /** With the call's own effect key; its time begins now. */
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

/** Finds out whether the call has acted: from a tool whose target drops repeated keys, or one that can ask. */
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
