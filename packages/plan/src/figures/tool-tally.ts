/** What the steps of a plan did, by tool: how many ended, how many failed, and how long they took. */
import { z } from "zod";
import { FLOW_WAIT } from "../view/estimate/flow-wait.ts";
import { HUMAN_ASK, PLAN_RUN } from "../language/owner-tools.ts";
import type { StepEntry } from "../machine/plan-state.ts";

/** Tools that one plan is counted by; the ones with the fewest steps are left out. */
const TOOLS_MAX = 50;
/** The time of these steps is spent waiting, or in a sub-plan whose own tools are counted. */
const WAITING = new Set<string>([HUMAN_ASK, FLOW_WAIT, PLAN_RUN]);

const Count = z.int().nonnegative();

export const ToolTally = z.object({
  tool: z.string(),
  /** Steps that succeeded or failed permanently; each item of a list is one. */
  steps: Count,
  failed: Count,
  /** Attempts beyond the first of each step. */
  retries: Count,
  /** Of the last attempt of each step: their sum, and the longest. */
  durationMs: Count,
  longestMs: Count,
});
export type ToolTally = z.infer<typeof ToolTally>;

/** Counts a finished step under its tool. Steps that a reviewer rejected never called it. */
export function countTool(tools: Map<string, ToolTally>, { step, item, state }: StepEntry): void {
  if (state.status !== "succeeded" && state.status !== "failed") return;
  if (WAITING.has(step.tool) || (step.forEach !== undefined && item === undefined)) return;
  const hasFailed = state.status === "failed";
  if (hasFailed && state.error.code === "approval_rejected") return;
  const { durationMs, attempt } = state;
  const one = {
    steps: 1,
    failed: hasFailed ? 1 : 0,
    retries: attempt - 1,
    durationMs,
    longestMs: durationMs,
  };
  addToolTally(tools, { tool: step.tool, ...one });
}

/** As a plan's tally holds it: nothing when no tool was called. */
export function toolTallies(tools: ReadonlyMap<string, ToolTally>): { readonly tools?: ToolTally[] } {
  if (tools.size === 0) return {};
  const most = [...tools.values()].toSorted((a, b) => b.steps - a.steps || compare(a.tool, b.tool));
  return { tools: most.slice(0, TOOLS_MAX).toSorted((a, b) => compare(a.tool, b.tool)) };
}

export function addToolTallies(
  left: readonly ToolTally[] = [],
  right: readonly ToolTally[] = [],
): ReturnType<typeof toolTallies> {
  const tools = new Map<string, ToolTally>();
  for (const one of [...left, ...right]) addToolTally(tools, one);
  return toolTallies(tools);
}

/** Adds a tally to the others of its tool. */
export function addToolTally(tools: Map<string, ToolTally>, one: ToolTally): void {
  const before = tools.get(one.tool);
  if (before === undefined) {
    tools.set(one.tool, one);
    return;
  }
  tools.set(one.tool, {
    tool: one.tool,
    steps: before.steps + one.steps,
    failed: before.failed + one.failed,
    retries: before.retries + one.retries,
    durationMs: before.durationMs + one.durationMs,
    longestMs: Math.max(before.longestMs, one.longestMs),
  });
}

/** By code units: the same everywhere. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
