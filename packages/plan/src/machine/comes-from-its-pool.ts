import type { PlanEvent } from "../events/plan-event.ts";
import { firstStepOf } from "../values/unit-id.ts";
import type { StepId } from "../values/ids.ts";
import { poolOf } from "../language/pool-of.ts";
import type { KnownPlan } from "./plan-state.ts";

type Run = { readonly stepId: StepId; readonly undo?: true | undefined; readonly pool: string };

/**
 * Whether a worker's event about a step comes from the pool that runs the step. Workers of other pools cannot report on
 * it, whatever their messages contain. Events that no worker sent have no pool, and an event about a step that does not
 * exist changes nothing anyway.
 *
 * That the event arrived on a subject of that pool is for its reader to check; see `refusalOf` in packages/shared.
 */
export function comesFromItsPool(
  plan: Pick<KnownPlan, "steps" | "compensations">,
  event: PlanEvent,
): boolean {
  const run = runIn(event);
  if (run === undefined) return true;
  if (run.undo === true) {
    const entry = plan.compensations?.find(({ stepId }) => stepId === run.stepId);
    return entry === undefined || poolOf({ step: entry.compensate, grant: entry.grant }) === run.pool;
  }
  const entry = plan.steps.get(run.stepId);
  return entry === undefined || poolOf(entry) === run.pool;
}

function runIn(event: PlanEvent): Run | undefined {
  switch (event.type) {
    case "step.started":
    case "step.succeeded":
    case "step.failed":
    case "step.asked":
    case "step.interrupted":
    case "call.started":
    case "turn.started":
    case "turn.taken":
      return named(event.data);
    case "unit.closed":
      return { stepId: firstStepOf(event.data.unit), pool: event.data.pool };
    case "model.failed":
      return event.data.work.kind === "step" ? named(event.data.work) : undefined;
    default:
      return undefined;
  }
}

function named<Data extends { readonly stepId: StepId; readonly pool?: string | undefined }>(
  data: Data,
): (Data & Run) | undefined {
  return data.pool === undefined ? undefined : { ...data, pool: data.pool };
}
