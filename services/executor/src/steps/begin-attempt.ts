/** Starts an attempt: a step with an effect first records its start, and learns whether it can run and is the first. */
import { isWorkWanted, type KnownPlan, runOf, StepStarted, type StepWork } from "@planwright/plan";
import {
  type Bus,
  FLOW_HEADER,
  isStray,
  mayHaveBegunSince,
  readFromLeader,
  readPlan,
  readPlanLog,
  STREAMS,
} from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import { TakenOverError, type WorkContext } from "@planwright/shared/queue";
import { reportStart, type Started } from "./report.ts";
import type { StepDeps } from "./step-deps.ts";

/** How often users can pause, resume or cancel between two reads of the log. */
const START_TRIES_MAX = 5;
/** Maximum number of starts of one attempt that are read, each from another delivery. */
const STARTS_MAX = 100;

/**
 * - `first`: the attempt was not started before, or it is safe to run it again;
 * - `repeat`: an attempt that runs at most once was started before, and its outcome is unknown;
 * - `late`: the same, and the attempt is no longer wanted: its effect still has to be determined;
 * - `restored`: the log, which was restored from a backup, has no start of an attempt that runs at most once: it may have taken
 * effect after the backup;
 * - `refused`: it is no longer wanted, will be sent again, or was sent twice and the other message counts.
 */
export type Beginning = "first" | "repeat" | "late" | "restored" | "refused";

/** @throws {TakenOverError} When the attempt was since delivered to another worker, which has started it. */
export async function beginAttempt(deps: StepDeps, work: StepWork, context: WorkContext): Promise<Beginning> {
  if (work.effect === "read") return (await mayRead(deps, work, context)) ? "first" : "refused";
  let expectFlow = Number(context.header(FLOW_HEADER) || 0);
  // Another worker may have had it before, so its outcome may be in the log; so may whatever ended the plan while this waited in
  // the queue.
  let isSure = context.deliveries === 1 && (await deps.stops.mayBegin(work, context.sequence));
  for (let tries = 0; tries < START_TRIES_MAX; tries++) {
    if (!isSure) {
      const { plan, flow } = await readPlanLog(deps.bus, work.planId);
      if (!isWorkWanted(plan, work)) return isUnsettled(plan, work) ? "late" : "refused";
      expectFlow = flow;
    }
    const started = await reportStart(deps, work, { context, expectFlow });
    if (started === "lost") {
      isSure = false;
      continue;
    }
    if (work.effect !== "once") return "first";
    const place = await placeOf(deps.bus, started, context);
    const { restored } = deps;
    if (place !== "first" || restored === undefined) return place;
    return (await mayHaveBegunSince(deps.bus, restored, work)) ? "restored" : place;
  }
  throw new TransientError(`the plan changed ${START_TRIES_MAX} times while the step was starting`);
}

/** Running a read-only step twice does no harm but may be expensive: an earlier worker may already have reported the outcome. */
async function mayRead(
  deps: StepDeps,
  work: StepWork,
  { deliveries, sequence }: WorkContext,
): Promise<boolean> {
  if (deliveries === 1) return deps.stops.mayBegin(work, sequence);
  return isWorkWanted(await readPlan(deps.bus, work.planId), work);
}

/** Whether a call that runs at most once was started, without a reported outcome before the step ended. */
function isUnsettled(plan: KnownPlan | undefined, work: StepWork): boolean {
  const state = entryOf(plan, work)?.state;
  const isAwaited = state?.status === "running" && state.stopping === undefined;
  return !isAwaited && mayHaveActed(plan, work);
}

/** Whether a call that runs at most once was started, without a reported outcome. */
export function mayHaveActed(
  plan: KnownPlan | undefined,
  work: Pick<StepWork, "stepId" | "item" | "attempt" | "undo" | "effect">,
): boolean {
  const { attempt, effect } = work;
  const effects = entryOf(plan, work)?.effects ?? [];
  return effect === "once" && effects.some((one) => one.attempt === attempt && one.status === "started");
}

/** The plan's entry for the step, or for its compensation. */
function entryOf(plan: KnownPlan | undefined, work: Pick<StepWork, "stepId" | "item" | "undo">) {
  const { stepId, undo } = work;
  if (undo === true) return plan?.compensations?.find((entry) => entry.stepId === stepId);
  return plan === undefined ? undefined : runOf(plan, work);
}

/**
 * Determines the position of this start among the attempt's starts: a worker that was suspended may record its start long after
 * others. If another worker has since received a later delivery, the attempt belongs to that worker. If there are two messages
 * for the same attempt, the worker that recorded its start first for this delivery count keeps it: should it die, its message is
 * delivered again.
 */
async function placeOf(
  bus: Bus,
  { id, subject }: Started,
  { deliveries, sequence }: Pick<WorkContext, "deliveries" | "sequence">,
): Promise<Beginning> {
  let place: Beginning = "first";
  let from = 1;
  for (let count = 0; count < STARTS_MAX; count++) {
    const message = await readFromLeader(bus, STREAMS.plans, { seq: from, next_by_subj: subject });
    // A replica may not have the latest start yet.
    if (message === null) continue;
    from = message.seq + 1;
    if (isStray(subject, message.header)) continue;
    const start = StepStarted.parse(message.json());
    if (start.id === id) return place;
    const { delivery, message: other = sequence } = start.data;
    if (delivery > deliveries) throw new TakenOverError(`delivery ${delivery} has begun`);
    if (delivery === deliveries && other !== sequence) return "refused";
    place = "repeat";
  }
  throw new TransientError("the log does not yet show the start of the step");
}
