/** The public view of a plan's compensations. */
import { z } from "zod";
import { definedOnly, type Optional } from "../values/defined-only.ts";
import { effectKey, StepId } from "../values/ids.ts";
import { Compensation } from "../language/plan-language.ts";
import { ranDetailsOf, RunView } from "./run-view.ts";
import { sentStatus } from "./shown-status.ts";
import type { CompensationEntry, KnownPlan } from "../machine/plan-state.ts";

/** A step that is being or was compensated, because its plan failed or was cancelled. */
export const CompensationView = z.object({
  stepId: StepId,
  ...Compensation.shape,
  effectKey: z.string().meta({
    description: "The idempotency key that the tool sends to its target. It is the same for all attempts.",
  }),
  status: z.enum(["waiting", "queued", "running", "awaiting-approval", "succeeded", "failed"]),
  ...RunView.shape,
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
    status: state.status === "running" ? sentStatus(state) : state.status,
    attempt: state.attempt,
    failedAttempts: [...failedAttempts],
    ...details,
  });
}
