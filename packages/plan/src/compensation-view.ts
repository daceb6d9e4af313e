/** What is undone of a plan, as people and programs outside see it. */
import { z } from "zod";
import { definedOnly, type Optional } from "./defined-only.ts";
import { StepError } from "./events/step-events.ts";
import { StepOutput } from "./events/values.ts";
import { effectKey, StepId } from "./ids.ts";
import { Compensation } from "./plan-language.ts";
import type { CompensationEntry, KnownPlan, StepState } from "./state/plan-state.ts";

/** A step that is undone, or was, because its plan failed or was cancelled. */
export const CompensationView = z.object({
  stepId: StepId,
  ...Compensation.shape,
  /** What the tool gives to its target; the same over all attempts. */
  effectKey: z.string(),
  status: z.enum(["waiting", "running", "awaiting-approval", "succeeded", "failed"]),
  attempt: z.int(),
  failedAttempts: z.array(
    z.object({ attempt: z.int(), error: StepError, at: z.string(), retryAt: z.string() }),
  ),
  workerId: z.string().optional(),
  startedAt: z.string().optional(),
  endedAt: z.string().optional(),
  durationMs: z.number().optional(),
  output: StepOutput.optional(),
  error: StepError.optional(),
});
export type CompensationView = z.infer<typeof CompensationView>;

export function compensationView(
  { planId }: KnownPlan,
  { stepId, compensate, state, failedAttempts }: CompensationEntry,
): CompensationView {
  const details: Optional<CompensationView> =
    state.status === "waiting" || state.status === "awaiting-approval" ? {} : ranDetailsOf(state);
  return definedOnly<CompensationView>({
    stepId,
    ...compensate,
    effectKey: effectKey({ planId, stepId, item: 0, undo: true }),
    status: state.status,
    attempt: state.attempt,
    failedAttempts: [...failedAttempts],
    ...details,
  });
}

/** Of what runs or has run, a step or its compensation. */
export function ranDetailsOf(state: Extract<StepState, { status: "running" | "succeeded" | "failed" }>) {
  const { workerId, startedAt } = state;
  if (state.status === "running") return { startedAt, workerId };
  const { endedAt, durationMs } = state;
  const times = { workerId, startedAt, endedAt, durationMs };
  return state.status === "failed" ? { ...times, error: state.error } : { ...times, output: state.output };
}
