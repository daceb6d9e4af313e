/** What a step has come to for those that need it, which is not always how it ended itself. */
import type { StepOutput } from "../../events/values.ts";
import type { StepId } from "../../values/ids.ts";
import type { ResolvedOutput } from "../../arguments/resolve-references.ts";
import type { KnownPlan, StepEntry, StepState } from "../plan-state.ts";

/**
 * `met`: there is an output, the step's own or its fallback's. `passed`: the step was skipped because it was not needed,
 * so that it has no output and nothing is missing. `lost`: no dependent of the step can run.
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

/** As its fallback stands, if it has one. */
function standingOfFailed({ step, standIn, excused }: Ended): Standing {
  if (excused === true) return "passed";
  if (step.fallback === undefined || standIn === "none") return "lost";
  return standIn === undefined ? "open" : "met";
}

/** Whether those that need a step with this standing need not wait for it any longer. */
export function isMet(standing: Standing): boolean {
  return standing === "met" || standing === "passed";
}

/** Settled without an output, and nothing has delivered in its place: nothing that needs it can run. */
export function isLost(entry: Ended | undefined): boolean {
  return entry !== undefined && standingOf(entry) === "lost";
}

/** Whether the step has not run, or has run in vain: its fallback is to run, if it has one. */
export function hasFailed(state: StepState): boolean {
  return state.status === "failed" || (state.status === "skipped" && state.passedOver !== true);
}

/** The step whose output references to this one stand for: itself, or the one that has delivered in its place. */
export function delivererOf(plan: Pick<KnownPlan, "steps">, stepId: StepId): StepEntry | undefined {
  const entry = plan.steps.get(stepId);
  const standIn = entry?.standIn;
  return typeof standIn === "object" ? plan.steps.get(standIn.by) : entry;
}

/** What references to a step stand for; undefined when it has come to nothing yet, or to no good. */
export function deliveredBy(plan: Pick<KnownPlan, "steps">, stepId: StepId): ResolvedOutput | undefined {
  const entry = delivererOf(plan, stepId);
  if (entry === undefined) return undefined;
  return entry.excused === true ? { kind: "nothing" } : deliveredAs(entry.state);
}

function deliveredAs(state: StepState): ResolvedOutput | undefined {
  if (state.status === "skipped") return state.passedOver === true ? { kind: "nothing" } : undefined;
  // Only the steps that verify it run meanwhile, also those that its open draft has planned late.
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
