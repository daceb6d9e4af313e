/** How an attempt begins: a step that changes something first says so, and learns whether it may, and is the first. */
import { isAttemptWanted, type KnownPlan, PlanEvent, type StepWork } from "@planwright/plan";
import { type Bus, ConflictError, FLOW_HEADER, readPlanAndFlow, STREAMS } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import type { WorkContext } from "@planwright/shared/queue";
import { reportStart, type Started } from "./report.ts";
import type { StepDeps } from "./step-deps.ts";

/** How often people may pause, resume or cancel between two looks at the log. */
const START_TRIES_MAX = 5;

/**
 * - `first`: nobody has begun the attempt before, or it does no harm to run it again;
 * - `repeat`: an attempt that acts once was begun before, and its outcome is not known;
 * - `late`: the same, and the attempt is no longer wanted: what it did is still to be found out;
 * - `refused`: it is not wanted any more, or will be sent again.
 */
export type Beginning = "first" | "repeat" | "late" | "refused";

export async function beginAttempt(deps: StepDeps, work: StepWork, context: WorkContext): Promise<Beginning> {
  if (work.effect === "read") return (await deps.stops.mayBegin(work)) ? "first" : "refused";
  const { deliveries: delivery } = context;
  let expectFlow = Number(context.header(FLOW_HEADER) || 0);
  // Somebody else may have had it before: what became of that stands in the log.
  let isSure = delivery === 1;
  for (let tries = 0; tries < START_TRIES_MAX; tries++) {
    if (!isSure) {
      const { plan, flow } = await readPlanAndFlow(deps.bus, work.planId);
      if (!isAttemptWanted(plan, work)) return isUnsettled(plan, work) ? "late" : "refused";
      expectFlow = flow;
    }
    try {
      const started = await reportStart(deps, work, { delivery, expectFlow });
      return work.effect !== "once" || (await isFirst(deps.bus, started)) ? "first" : "repeat";
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      isSure = false;
    }
  }
  throw new TransientError(`the plan's course changed ${START_TRIES_MAX} times while the step was to start`);
}

/** Whether somebody began what acts once, and nobody said what became of it before the step was over. */
function isUnsettled(plan: KnownPlan | undefined, work: StepWork): boolean {
  return plan?.steps.get(work.stepId)?.state.status !== "running" && mayHaveActed(plan, work);
}

/** Whether somebody began what acts once, and nobody said what became of it. */
export function mayHaveActed(plan: KnownPlan | undefined, { stepId, attempt, effect }: StepWork): boolean {
  const effects = plan?.steps.get(stepId)?.effects ?? [];
  return effect === "once" && effects.some((one) => one.attempt === attempt && one.status === "started");
}

/**
 * Whether no other start of the attempt is stored before this one: a worker that had stood still may say that it
 * begins long after another one has.
 */
async function isFirst(bus: Bus, { id, subject }: Started): Promise<boolean> {
  for (let tries = 0; tries < START_TRIES_MAX; tries++) {
    const first = await bus.manager.direct.getMessage(STREAMS.plans, { seq: 1, next_by_subj: subject });
    // A replica that does not know this start yet may not know an earlier one either.
    if (first !== null) return PlanEvent.parse(first.json()).id === id;
  }
  throw new TransientError("the log does not yet show the start of the step");
}
