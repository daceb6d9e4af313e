/**
 * Moves one ended plan from the log to the archive.
 *
 * Invariants:
 *   ARCHIVE-1. A message leaves the log only after the archive has stored it and it was read back, and after `plan.archived`
 *       follows the plan's last message. A message written in between is rejected, or makes our write fail.
 *   ARCHIVE-2. Every step can be repeated by any process at any time: a second archiver, or one that died, does no harm.
 *   ARCHIVE-3. Only complete plans leave: their messages fold to an ended plan. A log with a gap is not touched.
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

/** The plan is being deleted or was deleted, so it must not be archived. */
class PlanDeletedError extends Error {
  override readonly name = "PlanDeletedError";
  /** Whether the plan has already been erased; false when its deletion was only requested. */
  readonly isErased: boolean;

  constructor(planId: PlanId, { isErased }: { readonly isErased: boolean }) {
    super(`${planId} is deleted`);
    this.isErased = isErased;
  }
}

/** During each attempt, another process may archive the same plan or write to it. */
const TRIES_MAX = 3;

export type ArchivePlanDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly archives: ArchiveStore;
  readonly now: () => Date;
};

/**
 * Resolves when the log contains nothing of the plan but `plan.archived`, also if it had been archived before.
 *
 * Messages that were written after a plan was archived are added to its archive. A plan that is being deleted is left alone;
 * if it is erased meanwhile, a new archive is removed.
 *
 * @throws {PermanentError} `plan_not_whole` when the log and the archive do not add up to an ended plan.
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
  // A plan that is still complete in the log has probably not been archived; if it has, storing it causes a conflict.
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
  /** The state folded from the messages that were read. */
  plan: Plan;
  readonly log: LogReading;
  /** What is missing before the first message, as far as the events show. */
  missing: string | undefined;
  /** The plan's last stream sequence in the log. */
  logEnd: number;
};

/** Yields the plan's messages in the log, without the tombstone of an archiver. */
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

/** Yields the log's messages, preceded by those of the archive if the beginning of the plan has left the log. */
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

/** @throws {PermanentError} `plan_not_whole` at the end, when the messages are not those of an ended plan. */
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
  // The events of a plan that ended because of a damaged log record the damage.
  if (missing !== undefined && plan.damage === undefined) throw notWhole(planId, missing);
}

/** Resolves with the stream sequence of the tombstone; all messages of the plan before it are in the archive. */
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
