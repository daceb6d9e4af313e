/** Attempts that fail before they reach a worker, because their references cannot be resolved. */
import type { Command, Unstamped } from "./command.ts";
import { StepFailed } from "../events/step-events.ts";
import type { PlanId, StepId } from "../values/ids.ts";
import type { ArgumentsFault } from "../arguments/resolve-arguments.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { itemOf } from "../machine/step/runs.ts";

type Run = Pick<StepFailed["data"], "stepId" | "item" | "attempt" | "undo" | "stepsSent">;
type Fault = { readonly at: string; readonly error: ArgumentsFault };

/** Records that an attempt of a step has failed. */
export function recordFault(
  { planId, updatedAt: at }: KnownPlan,
  entry: StepEntry,
  attempt: number,
  error: ArgumentsFault,
): Command {
  const run = { stepId: entry.step.id, item: itemOf(entry), attempt };
  return { kind: "record", event: failureOf(planId, run, { at, error }) };
}

/** Records that an attempt of a step's compensation failed. */
export function recordUndoFault(
  { planId, updatedAt: at }: KnownPlan,
  stepId: StepId,
  attempt: number,
  error: ArgumentsFault,
): Command {
  const run = { stepId, item: 0, attempt, undo: true } as const;
  return { kind: "record", event: failureOf(planId, run, { at, error }) };
}

/** The failure of an attempt that never reached a worker. */
export function failureOf(planId: PlanId, run: Run, { at, error }: Fault): Unstamped<StepFailed> {
  const ended = { workerId: "planner", startedAt: at, durationMs: 0 };
  return StepFailed.unstamped(planId, { ...run, ...ended, error, retryable: false });
}
