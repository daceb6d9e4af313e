/** Counts of a plan's activity: its own steps and those of its sub-plans, which report them when they end. */
import { z } from "zod";

/** Maximum number of tools in one plan's tally; the ones with the fewest steps are left out. */
const TOOLS_MAX = 50;

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

const Counts = z.object({
  /** Steps that succeeded or failed permanently, including those that a revision replaced; each item of a list counts as one. */
  steps: Count,
  stepsFailed: Count,
  /** Revisions of plans that had begun to run, without improvements of a draft before that and without new waves. */
  replans: Count,
  /** Decisions that people made. */
  decisions: Count,
  /** Number of plans that a reviewer edited before they ran, and of steps whose arguments a reviewer edited. */
  planEdits: Count,
  argumentEdits: Count,
  /** Steps and compensations that changed something and succeeded. Each counts once, regardless of its attempts. */
  mutationsIdempotent: Count,
  mutationsOnce: Count,
  /** Attempts of steps and of their compensations. */
  toolCalls: Count,
  /** One call for each step of the final plan that ran. */
  toolCallsMin: Count,
  /** One for each step of the final plan that calls a model and ran, one for the draft, one for the join. */
  modelCallsMin: Count,
});

export const PlanTally = z.object({
  ...Counts.shape,
  /** By tool, in the order of their names; absent when no step called a tool. */
  tools: z.array(ToolTally).optional(),
});
export type PlanTally = z.infer<typeof PlanTally>;

export const NOTHING_COUNTED: z.infer<typeof Counts> = {
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

export function addTallies(left: PlanTally, right: PlanTally): PlanTally {
  const sum = { ...left };
  for (const name of Counts.keyof().options) sum[name] += right[name];
  return { ...sum, ...addToolTallies(left.tools, right.tools) };
}

/** A sub-plan that came to nothing was not needed. */
export function withoutMinimum(tally: PlanTally): PlanTally {
  return { ...tally, toolCallsMin: 0, modelCallsMin: 0 };
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
