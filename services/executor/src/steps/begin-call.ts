/** Starts a call with an effect inside a loop: like a step, it first records its start in the log. */
import {
  begunCall,
  type CallRecord,
  CallStarted,
  comesNext,
  isWorkWanted,
  type JsonObject,
  type KnownPlan,
  runOf,
  type StepWork,
} from "@planwright/plan";
import {
  comesFromBackup,
  appendEvent,
  factSubject,
  flowSubjects,
  readPlanLog,
  type Bus,
  isStray,
  readFromLeader,
  STREAMS,
} from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import { randomUUID } from "node:crypto";
import type { StepDeps } from "./step-deps.ts";

/** How often users can pause, resume or cancel between two reads of the log. */
const TRIES_MAX = 5;

/** `leave` identifies the approval by which a user allowed it to be made again. */
export type Call = Pick<CallRecord, "turn" | "thought" | "tool" | "args" | "effect"> & {
  readonly call?: number | undefined;
  readonly proposed?: JsonObject | undefined;
  readonly leave?: string | undefined;
};

/** `isFirst`: it was not started before, or not under this approval, so it can run without another approval. */
export type BegunCall = { readonly call: Call; readonly isFirst: boolean };

/**
 * Records that a call starts. The start is refused when the plan was paused, resumed or cancelled since the log was read. If
 * another worker has already started the call, that worker's call counts.
 *
 * @throws {DOMException} `AbortError` when the step is no longer wanted, or has continued without this worker.
 */
export async function beginCall(deps: StepDeps, work: StepWork, call: Call): Promise<BegunCall> {
  const { planId, stepId, item, attempt, pool, after } = work;
  const data = { stepId, item, attempt, pool, ...call, workerId: deps.workerId };
  const writer = randomUUID();
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const { plan, flow } = await readPlanLog(deps.bus, planId);
    const begun = begunBefore(plan, work, call);
    if (begun !== undefined) return { call: begun, isFirst: false };
    const event = CallStarted.create({ planId, after, at: deps.now() }, data, writer);
    const fence = { sequence: flow, subject: flowSubjects(planId) };
    const { status } = await appendEvent(deps.publish, event, { fence });
    if (status === "lost") continue;
    // Two workers may both have recorded a start.
    const first = CallStarted.parse(await firstMessage(deps.bus, factSubject(event)));
    return first.id === event.id ? { call, isFirst: true } : { call: first.data, isFirst: false };
  }
  throw new TransientError(`the plan changed ${TRIES_MAX} times while a call was starting`);
}

function begunBefore(plan: KnownPlan | undefined, work: StepWork, call: Call): CallRecord | undefined {
  const run = plan === undefined ? undefined : runOf(plan, work);
  if (run === undefined || !isWorkWanted(plan, work) || !comesNext(run, call)) {
    throw new DOMException("the step is no longer wanted", "AbortError");
  }
  const begun = begunCall(run);
  return call.leave === undefined || begun?.leave === call.leave ? begun : undefined;
}

/**
 * Whether a call that runs at most once may have taken effect after the backup that the log was restored from. A user's approval
 * settles it.
 */
export async function mayHaveBeenMade(
  { bus, restored }: StepDeps,
  { planId }: StepWork,
  { effect, leave }: Pick<Call, "effect" | "leave">,
): Promise<boolean> {
  if (restored === undefined || effect !== "once" || leave !== undefined) return false;
  return comesFromBackup(bus, planId, restored);
}

/** A replica may not have the latest message yet. */
const READS_MAX = 100;

/**
 * The first message of the log on a subject that has at least one; wildcards count.
 *
 * @throws {TransientError} When the log does not show it yet.
 */
export async function firstMessage(bus: Bus, subject: string): Promise<unknown> {
  let from = 1;
  for (let reads = 0; reads < READS_MAX; reads++) {
    const message = await readFromLeader(bus, STREAMS.plans, { seq: from, next_by_subj: subject });
    if (message === null) continue;
    if (!isStray(message.subject, message.header)) return message.json();
    from = message.seq + 1;
  }
  throw new TransientError(`the log does not show the message on ${subject} yet`);
}
