/**
 * Moves one ended plan from the log to the archive.
 *
 * Invariants:
 *   ARCHIVE-1. Nothing leaves the log before the archive holds it and was read back, and `plan.archived` stands behind the
 *       plan's last message. A message that comes in between is refused or refuses us.
 *   ARCHIVE-2. Every step may be repeated, by anyone and at any time: two archivers, or one that died, do no harm.
 *   ARCHIVE-3. Only what is whole leaves: the messages fold to an ended plan. A log with a hole is not touched.
 */
import {
  evolve,
  isEnded,
  type KnownPlan,
  LogReading,
  noPlan,
  outlineOf,
  type Plan,
  PlanArchived,
  type PlanId,
} from "@planwright/plan";
import type { Bus } from "../bus/connect-bus.ts";
import { ConflictError, type Publish } from "../bus/publisher.ts";
import { readPlanMessages } from "../bus/log/read-plan.ts";
import { deletionSubject, planSubjects, submissionSubject, timerSubjects } from "../bus/subjects/subjects.ts";
import { STREAMS } from "../bus/streams/topology.ts";
import { PermanentError } from "../errors.ts";
import type { ArchiveStore, StoredHead } from "./archive-store.ts";
import { archivedEntries, type ArchivedMessage, archivedMessageOf, eventsIn } from "./archived-message.ts";

/** The plan is being deleted, or was: it is no longer the archive's. */
class PlanDeletedError extends Error {
  override readonly name = "PlanDeletedError";
  /** Whether it has been erased, and not only been asked for. */
  readonly isErased: boolean;

  constructor(planId: PlanId, { isErased }: { readonly isErased: boolean }) {
    super(`${planId} is deleted`);
    this.isErased = isErased;
  }
}

/** Another process may archive the same plan, or write to it, during each attempt. */
const TRIES_MAX = 3;

export type ArchivePlanDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly archives: ArchiveStore;
  readonly now: () => Date;
};

/**
 * Resolves when nothing of the plan is left in the log but `plan.archived`, also when that was so before.
 *
 * What was written to a plan after it was archived is added to its archive. A plan that is being deleted is left alone;
 * once it was erased, an archive that was made meanwhile is removed.
 *
 * @throws {PermanentError} `plan_not_whole` when the log and the archive do not tell of an ended plan.
 */
export async function archivePlan(deps: ArchivePlanDeps, planId: PlanId): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await tryToArchive(deps, planId, tries);
      return;
    } catch (error) {
      if (error instanceof PlanDeletedError) {
        if (error.isErased) await removeArchive(deps.archives, planId);
        return;
      }
      // Messages that another process archives during the read look like a gap.
      const mayPass = error instanceof ConflictError || isNotWhole(error);
      if (!mayPass || tries === TRIES_MAX) throw error;
    }
  }
}

async function removeArchive(archives: ArchiveStore, planId: PlanId): Promise<void> {
  const head = await archives.head(planId);
  if (head !== undefined) await archives.remove(planId, { upTo: head });
}

async function tryToArchive(deps: ArchivePlanDeps, planId: PlanId, tries: number): Promise<void> {
  const { bus, archives } = deps;
  const reading: Reading = { plan: noPlan, log: new LogReading(), missing: undefined, logEnd: 0 };
  const log = messagesOfLog(bus, planId, reading);
  const { value: first } = await log.next();
  if (first === undefined) return;
  // A plan that is still whole in the log has hardly been archived before; if it was, storing it conflicts.
  const isWhole = first.subject === submissionSubject(planId);
  const earlier = isWhole && tries === 1 ? undefined : await archives.head(planId);
  const messages = folded(withArchived(log, { first, earlier, archives, planId }), planId, reading);
  const head = await archives.put(planId, messages, { replaces: earlier });
  if (reading.plan.status === "absent") throw notWhole(planId);
  await bus.manager.streams.purge(STREAMS.plans, { filter: timerSubjects(planId) });
  const sequence = await leaveTombstone(deps, { plan: reading.plan, head, logEnd: reading.logEnd });
  await bus.manager.streams.purge(STREAMS.plans, { filter: planSubjects(planId), seq: sequence });
}

type Reading = {
  /** The fold of what was read. */
  plan: Plan;
  readonly log: LogReading;
  /** What the facts show to have vanished before them. */
  missing: string | undefined;
  /** The last stream sequence of the plan in the log. */
  logEnd: number;
};

/** The plan's messages in the log, without what an archiver left there. */
async function* messagesOfLog(
  bus: Bus,
  planId: PlanId,
  reading: Reading,
): AsyncGenerator<ArchivedMessage, undefined> {
  const told = new Set([submissionSubject(planId), deletionSubject(planId)]);
  for await (const stored of readPlanMessages(bus, planId)) {
    reading.logEnd = stored.seq;
    const message = archivedMessageOf(stored);
    const type = told.has(message.subject) ? eventsIn(message)[0]?.type : undefined;
    if (type === "delete.requested" || type === "plan.deleted") {
      throw new PlanDeletedError(planId, { isErased: type === "plan.deleted" });
    }
    if (type !== "plan.archived") yield message;
  }
}

/** What the log holds, behind what the archive holds already when the plan's beginning has left the log. */
async function* withArchived(
  log: AsyncIterable<ArchivedMessage>,
  {
    first,
    earlier,
    archives,
    planId,
  }: { first: ArchivedMessage; earlier: StoredHead | undefined; archives: ArchiveStore; planId: PlanId },
): AsyncGenerator<ArchivedMessage> {
  const isWhole = first.subject === submissionSubject(planId);
  let last = 0;
  if (!isWhole && earlier !== undefined) {
    yield* archives.read(planId);
    last = earlier.last;
  }
  if (first.sequence > last) yield first;
  for await (const message of log) if (message.sequence > last) yield message;
}

/** @throws {PermanentError} `plan_not_whole` at the end, when the messages do not tell of an ended plan. */
async function* folded(
  messages: AsyncIterable<ArchivedMessage>,
  planId: PlanId,
  reading: Reading,
): AsyncGenerator<ArchivedMessage> {
  for await (const message of messages) {
    for (const entry of archivedEntries(message)) {
      if ("event" in entry) {
        reading.missing ??= reading.log.missingBefore(reading.plan, entry.event);
        reading.plan = evolve(reading.plan, entry.event);
      }
      reading.log.add(entry.subject);
    }
    yield message;
  }
  const { plan, missing } = reading;
  if (plan.status === "absent" || !isEnded(plan)) throw notWhole(planId);
  // A plan that ended because its log is damaged says so itself.
  if (missing !== undefined && plan.damage === undefined) throw notWhole(planId, missing);
}

/** Resolves with the stream sequence of the tombstone; everything of the plan before it is in the archive. */
async function leaveTombstone(
  { publish, now }: ArchivePlanDeps,
  { plan, head, logEnd }: { plan: KnownPlan; head: StoredHead; logEnd: number },
): Promise<number> {
  const { planId, goal } = plan;
  const tombstone = PlanArchived.create(
    { planId, at: now() },
    {
      firstSequence: head.first,
      lastSequence: head.last,
      outline: outlineOf(plan),
      bodyHash: goal.bodyHash,
      trace: goal.trace,
    },
  );
  const { sequence } = await publish(submissionSubject(planId), tombstone, {
    id: tombstone.id,
    expect: { sequence: logEnd, subject: planSubjects(planId) },
  });
  return sequence;
}

const NOT_WHOLE = "plan_not_whole";

function notWhole(planId: PlanId, missing = "its beginning or its end"): PermanentError {
  return new PermanentError(
    `the stored log of ${planId} is not that of an ended plan: ${missing} is missing`,
    {
      code: NOT_WHOLE,
    },
  );
}

function isNotWhole(error: unknown): boolean {
  return error instanceof PermanentError && error.code === NOT_WHOLE;
}
