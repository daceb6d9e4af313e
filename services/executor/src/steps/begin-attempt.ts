/** Starts an attempt: a step that changes something first records its start, and learns whether it may run and is the first. */
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

/** How often people may pause, resume or cancel between two looks at the log. */
const START_TRIES_MAX = 5;
/** Starts of one attempt that are looked at, each of another delivery. */
const STARTS_MAX = 100;

/**
 * - `first`: the attempt was not started before, or it is safe to run it again;
 * - `repeat`: an attempt that runs at most once was started before, and its outcome is not known;
 * - `late`: the same, and the attempt is no longer wanted: what it did is still to be found out;
 * - `restored`: the log, which was restored from a backup, has no start of an attempt that runs at most once: it may have taken effect
 *   after the backup;
 * - `refused`: it is not wanted any more, will be sent again, or was sent twice and the other message counts.
 */
export type Beginning = "first" | "repeat" | "late" | "restored" | "refused";

/** @throws {TakenOverError} When another worker has been given the attempt since, and has begun it. */
export async function beginAttempt(deps: StepDeps, work: StepWork, context: WorkContext): Promise<Beginning> {
  if (work.effect === "read") return (await mayRead(deps, work, context)) ? "first" : "refused";
  let expectFlow = Number(context.header(FLOW_HEADER) || 0);
  // Another worker may have had it before: that outcome is in the log. So is what made a plan end while this waited in the queue.
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

/** Reading twice does no harm, but it may cost: an earlier worker may have said all there is to say. */
async function mayRead(
  deps: StepDeps,
  work: StepWork,
  { deliveries, sequence }: WorkContext,
): Promise<boolean> {
  if (deliveries === 1) return deps.stops.mayBegin(work, sequence);
  return isWorkWanted(await readPlan(deps.bus, work.planId), work);
}

/** Whether a call that runs at most once was started, without a reported outcome before the step was over. */
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

/** What the plan knows of the step, or of its compensation. */
function entryOf(plan: KnownPlan | undefined, work: Pick<StepWork, "stepId" | "item" | "undo">) {
  const { stepId, undo } = work;
  if (undo === true) return plan?.compensations?.find((entry) => entry.stepId === stepId);
  return plan === undefined ? undefined : runOf(plan, work);
}

/**
 * Which of the attempt's starts this one is: a worker that had stood still may say that it begins long after others
 * have. What was delivered to another worker since belongs to that one. Of two messages for the same attempt the one that came as
 * far first is left to its worker: should that worker die, that message is delivered again.
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
    // A replica may not know the last of them yet.
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
