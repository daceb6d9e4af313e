/** What a step has come to for those that need it, which is not always how it ended itself. */
import type { StepOutput } from "../events/values.ts";
import type { StepId } from "../ids.ts";
import type { ResolvedOutput } from "../resolve-references.ts";
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

/** Settled without an output: nothing that needs it can run. */
export function isLost(state: StepState): boolean {
  return standingOf({ state }) === "lost";
}

/** What references to a step stand for; undefined when it has come to nothing yet, or to no good. */
export function deliveredBy(plan: Pick<KnownPlan, "steps">, stepId: StepId): ResolvedOutput | undefined {
  const entry = plan.steps.get(stepId);
  return entry === undefined ? undefined : deliveredAs(entry.state);
}

function deliveredAs(state: StepState): ResolvedOutput | undefined {
  if (state.status === "skipped") return state.passedOver === true ? { kind: "nothing" } : undefined;
  if (state.status !== "succeeded") return undefined;
  const { output, list } = state;
  if (list !== undefined && "value" in output) return { kind: "list", entries: list, value: output.value };
  return resolvedOutput(output);
}

export function resolvedOutput(output: StepOutput): ResolvedOutput {
  return "value" in output
    ? { kind: "value", value: output.value }
    : { kind: "artifact", artifact: output.artifact.name };
}
