/** What the steps of a plan did, by tool: how many ended, how many failed, and how long they took. */
import type { ToolTally } from "../events/plan-tally.ts";
import { FLOW_WAIT } from "../view/estimate/flow-wait.ts";
import { HUMAN_ASK, PLAN_RUN } from "../language/tool-names.ts";
import type { StepEntry } from "../machine/plan-state.ts";
import { addToolTally } from "../values/add-tallies.ts";

/** The time of these steps is spent waiting, or in a sub-plan whose own tools are counted. */
const WAITING = new Set<string>([HUMAN_ASK, FLOW_WAIT, PLAN_RUN]);

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
