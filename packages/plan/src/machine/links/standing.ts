/** What a step means for its dependents, which is not always how the step itself ended. */
import type { StepOutput } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import type { ResolvedOutput } from "../../arguments/resolve-references.ts";
import type { KnownPlan, StepEntry, StepState } from "../plan-state.ts";

/**
 * `met`: there is an output, the step's own or its fallback's. `passed`: the step was not needed and was skipped: it
 * has no output, and nothing is missing. `lost`: no dependent of the step can run.
 */
export type Standing = "open" | "met" | "passed" | "lost";

type Ended = Pick<StepEntry, "step" | "state" | "standIn" | "excused">;

export function standingOf(entry: Ended): Standing {
  const { state } = entry;
  switch (state.status) {
    case "succeeded":
      return "met";
    case "skipped":
      return state.passedOver === true ? "passed" : standingOfFailed(entry);
    case "failed":
      return standingOfFailed(entry);
    case "cancelled":
      return "lost";
    default:
      return "open";
  }
}

/** Follows the step's fallback, if it has one. */
function standingOfFailed({ step, standIn, excused }: Ended): Standing {
  if (excused === true) return "passed";
  if (step.fallback === undefined || standIn === "none") return "lost";
  return standIn === undefined ? "open" : "met";
}

/** Whether the dependents of a step with this standing no longer have to wait for it. */
export function isMet(standing: Standing): boolean {
  return standing === "met" || standing === "passed";
}

/** Whether the step has settled without an output, its own or its fallback's, so that no dependent can run. */
export function isLost(entry: Ended | undefined): boolean {
  return entry !== undefined && standingOf(entry) === "lost";
}

/** Whether the step failed or could not run, so that its fallback runs if it has one. */
export function hasFailed(state: StepState): boolean {
  return state.status === "failed" || (state.status === "skipped" && state.passedOver !== true);
}

/** Returns the step whose output is used for references to this one: itself, or the fallback that replaced it. */
export function delivererOf(plan: Pick<KnownPlan, "steps">, stepId: StepId): StepEntry | undefined {
  const entry = plan.steps.get(stepId);
  const standIn = entry?.standIn;
  return typeof standIn === "object" ? plan.steps.get(standIn.by) : entry;
}

/** Returns the output used for references to a step; undefined if there is none yet, or never will be. */
export function deliveredBy(plan: Pick<KnownPlan, "steps">, stepId: StepId): ResolvedOutput | undefined {
  const entry = delivererOf(plan, stepId);
  if (entry === undefined) return undefined;
  return entry.excused === true ? { kind: "nothing" } : deliveredAs(entry.state);
}

function deliveredAs(state: StepState): ResolvedOutput | undefined {
  if (state.status === "skipped") return state.passedOver === true ? { kind: "nothing" } : undefined;
  // Meanwhile, only the steps that verify it run, including those that its open draft plans later.
  const isToBeVerified =
    state.status === "reviewing" && (state.for === "verification" || state.for === "draft");
  if (state.status !== "succeeded" && !isToBeVerified) return undefined;
  const { output, list } = state;
  if (list !== undefined && "value" in output) return { kind: "list", entries: list, value: output.value };
  return resolvedOutput(output);
}

export function resolvedOutput(output: StepOutput): ResolvedOutput {
  return "value" in output
    ? { kind: "value", value: output.value }
    : { kind: "artifact", artifact: output.artifact.name, lists: output.lists };
}
