/** What a step has come to for those that need it, which is not always how it ended itself. */
import type { StepOutput } from "../events/values.ts";
import type { StepId } from "../ids.ts";
import type { KnownPlan, StepEntry, StepState } from "./plan-state.ts";

/**
 * `met`: there is an output. `passed`: the step was passed over, so that there is none and nothing is missing.
 * `lost`: nothing that needs it can run.
 */
export type Standing = "open" | "met" | "passed" | "lost";

export function standingOf({ state }: Pick<StepEntry, "state">): Standing {
  switch (state.status) {
    case "succeeded":
      return "met";
    case "skipped":
      return state.passedOver === true ? "passed" : "lost";
    case "failed":
    case "cancelled":
      return "lost";
    default:
      return "open";
  }
}

/** Whether those that need a step with this standing need not wait for it any longer. */
export function isMet(standing: Standing): boolean {
  return standing === "met" || standing === "passed";
}

/** What a reference to a step stands for: its output, or that there is none and will be none. */
export type Delivered = StepOutput | "nothing" | undefined;

export function deliveredBy(plan: Pick<KnownPlan, "steps">, stepId: StepId): Delivered {
  const entry = plan.steps.get(stepId);
  return entry === undefined ? undefined : deliveredAs(entry.state);
}

function deliveredAs(state: StepState): Delivered {
  if (state.status === "succeeded") return state.output;
  return state.status === "skipped" && state.passedOver === true ? "nothing" : undefined;
}
