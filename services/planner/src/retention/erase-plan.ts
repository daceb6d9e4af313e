/**
 * Erases all stored data of an ended plan and of its sub-plans; `plan.deleted` remains in its place.
 *
 * Invariants:
 *   ERASE-1. `delete.requested` leaves the log last, in one purge with all other events of the plan: if a planner dies earlier,
 *            the next one finds it again; afterwards there is nothing left to find.
 *   ERASE-2. Sub-plans go first: only their parent's log contains their ids.
 *   ERASE-3. Every step can be repeated, by any planner and at any time.
 *   ERASE-4. A plan is erased as a sub-plan only if its own log names the parent, whatever other logs say of it.
 */
import { PlanDeleted, type PlanEvent, type PlanId, type PlanTrace } from "@planwright/plan";
import { type ArchiveStore, eventsIn } from "@planwright/shared/archive";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import {
  type Bus,
  ConflictError,
  deadLetterSubject,
  planSubjects,
  type Publish,
  readPlanEvents,
  STREAMS,
  submissionSubject,
  timerSubjects,
  workOfPlan,
} from "@planwright/shared/bus";
import { PermanentError, TransientError } from "@planwright/shared/errors";

/** How often other writers may write to the plan in between. */
const TRIES_MAX = 5;

export type EraseDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly archives: ArchiveStore;
  readonly artifacts: ArtifactStore;
  readonly now: () => Date;
};

/**
 * Resolves when nothing but `plan.deleted` is stored for the plan, even if that was already so.
 *
 * @param options.parent - The expected parent of a sub-plan: another plan's sub-plan is left alone.
 * @throws {TransientError} When the plan or one of its sub-plans has not ended, or is being written to continuously.
 */
export async function erasePlan(
  deps: EraseDeps,
  planId: PlanId,
  options: { readonly parent?: PlanId } = {},
): Promise<void> {
  const { parent } = options;
  const stored = await readStoredPlan(deps, planId);
  if (parent !== undefined && stored.parent !== parent && !stored.isErased) return;
  if (!stored.hasEnded) throw new TransientError(`${planId} cannot be deleted: it has not ended`);
  for (const subPlan of stored.subPlans) await erasePlan(deps, subPlan, { parent: planId });
  for (let tries = 1; ; tries++) {
    await eraseBeside(deps, planId);
    try {
      await eraseLog(deps, planId, stored);
      return;
    } catch (cause) {
      if (!(cause instanceof ConflictError)) throw cause;
      if (tries === TRIES_MAX)
        throw new TransientError(`${planId} cannot be deleted: new messages keep arriving`, { cause });
    }
    // A writer of the plan may have stored a file before its event.
    const last = await deps.bus.manager.streams.getMessage(STREAMS.plans, {
      last_by_subj: planSubjects(planId),
    });
    stored.logEnd = last?.seq ?? 0;
  }
}

type StoredPlan = {
  tenant: string | undefined;
  trace: PlanTrace | undefined;
  parent: PlanId | undefined;
  hasEnded: boolean;
  /** Whether `plan.deleted` exists; late events may follow it. */
  isErased: boolean;
  readonly subPlans: Set<PlanId>;
  /** The last stream sequence of the plan in the log, and of its `plan.deleted`; 0 when there is none. */
  logEnd: number;
  tombstoneAt: number;
};

/** The plan's data in the log and the archive, however damaged they are. */
async function readStoredPlan({ bus, archives }: EraseDeps, planId: PlanId): Promise<StoredPlan> {
  const stored: StoredPlan = {
    tenant: undefined,
    trace: undefined,
    parent: undefined,
    hasEnded: false,
    isErased: false,
    subPlans: new Set(),
    logEnd: 0,
    tombstoneAt: 0,
  };
  const note = ({ sequence }: { readonly sequence: number }): void => void (stored.logEnd = sequence);
  for await (const { event, sequence } of readPlanEvents(bus, planId, { onUnknown: note })) {
    note({ sequence });
    take(stored, event);
    if (event.type === "plan.deleted") stored.tombstoneAt = sequence;
  }
  try {
    for await (const message of archives.read(planId)) {
      for (const event of eventsIn(message)) take(stored, event);
    }
  } catch (error) {
    // Unreadable data is deleted too.
    if (!(error instanceof PermanentError)) throw error;
  }
  return stored;
}

function take(stored: StoredPlan, event: PlanEvent): void {
  switch (event.type) {
    case "goal.submitted":
      stored.tenant = event.data.tenant;
      stored.trace = event.data.trace;
      stored.parent = event.data.parent?.planId;
      return;
    case "plan.archived":
      stored.tenant = event.data.outline.tenant;
      stored.trace = event.data.trace;
      stored.parent = event.data.outline.parent;
      stored.hasEnded = true;
      return;
    case "plan.deleted":
      stored.tenant = event.data.tenant;
      stored.trace = event.data.trace;
      stored.hasEnded = true;
      stored.isErased = true;
      return;
    case "delete.requested":
      stored.tenant ??= event.data.by;
      stored.trace ??= event.data.trace;
      return;
    case "step.started":
      if (event.data.subPlan !== undefined) stored.subPlans.add(event.data.subPlan);
      return;
    case "plan.ended":
      stored.hasEnded = true;
      return;
    default:
  }
}

/** Erases data stored outside the log, by the plan's id, regardless of who stored it when. */
async function eraseBeside({ bus, archives, artifacts }: EraseDeps, planId: PlanId): Promise<void> {
  const purge = async (stream: string, filter: string): Promise<void> =>
    void (await bus.manager.streams.purge(stream, { filter }));
  await purge(STREAMS.plans, timerSubjects(planId));
  for (const subject of workOfPlan(planId)) {
    await purge(STREAMS.work, subject);
    await purge(STREAMS.dead, deadLetterSubject(subject));
  }
  await artifacts.removeAll(planId);
  const head = await archives.head(planId);
  if (head !== undefined) await archives.remove(planId, { upTo: head });
}

/** Purges the log up to a new `plan.deleted`, or up to the existing one when nothing follows it. */
async function eraseLog(deps: EraseDeps, planId: PlanId, stored: StoredPlan): Promise<void> {
  const isLast = stored.isErased && stored.tombstoneAt === stored.logEnd;
  const seq = isLast ? stored.tombstoneAt : await leaveTombstone(deps, planId, stored);
  await deps.bus.manager.streams.purge(STREAMS.plans, { filter: planSubjects(planId), seq });
}

/** Resolves with the sequence of `plan.deleted`, after everything else of the plan. */
async function leaveTombstone(
  { publish, now }: EraseDeps,
  planId: PlanId,
  { tenant = "", trace, logEnd }: StoredPlan,
): Promise<number> {
  const tombstone = PlanDeleted.create({ planId, at: now() }, { tenant, trace }, logEnd);
  const { sequence } = await publish(submissionSubject(planId), tombstone, {
    id: tombstone.id,
    expect: { sequence: logEnd, subject: planSubjects(planId) },
  });
  return sequence;
}
