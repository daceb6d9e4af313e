/** Sums of tallies; has no schemas, so that the dashboard can load it. */
import type { PlanTally, ToolTally } from "../events/plan-tally.ts";

/** Maximum number of tools in one plan's tally; the ones with the fewest steps are left out. */
const TOOLS_MAX = 50;

export const NOTHING_COUNTED = {
  steps: 0,
  stepsFailed: 0,
  replans: 0,
  decisions: 0,
  planEdits: 0,
  argumentEdits: 0,
  mutationsIdempotent: 0,
  mutationsOnce: 0,
  toolCalls: 0,
  toolCallsMin: 0,
  modelCallsMin: 0,
};

const COUNTS = Object.keys(NOTHING_COUNTED) as (keyof typeof NOTHING_COUNTED)[];

export function addTallies(left: PlanTally, right: PlanTally): PlanTally {
  const sum = { ...left };
  for (const name of COUNTS) sum[name] += right[name];
  return { ...sum, ...addToolTallies(left.tools, right.tools) };
}

/** For a sub-plan without a result: it was not needed, so it adds nothing to the minimum. */
export function withoutMinimum(tally: PlanTally): PlanTally {
  return { ...tally, toolCallsMin: 0, modelCallsMin: 0 };
}

/** The field of a plan's tally: left out if no tool was called. */
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

/** Compares by code units: the same order everywhere. */
function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
