/**
 * Executes deletions: of requested plans, and of events that arrive too late for deleted plans, such as the result of a worker
 * that was suspended.
 *
 * An unfinished deletion is found again in the log by the planner that owns its partition by then. The position is not stored
 * beyond a late event that has not been processed.
 */
import { PlanDeleted, type PlanEvent, type PlanId } from "@planwright/plan";
import { createArchiveStore } from "@planwright/shared/archive";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import {
  type Bus,
  type LogEntry,
  PENDING_DELETIONS,
  type Publish,
  readEach,
  readLastOfEach,
  STREAMS,
  submissionSubject,
} from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { oneAtATime } from "../one-at-a-time.ts";
import { planOf } from "./due-plans.ts";
import { erasePlan } from "./erase-plan.ts";

/** How often the log is searched for deletions that another planner has left unfinished. */
const SEARCH_MS = 30_000;
const BATCH = 256;
const LOOKUPS_AT_ONCE = 500;

export type Deletions = {
  /** Takes an entry. @param about.isOpen - Whether the plan was open here before the entry. */
  heed(entry: LogEntry, about: { readonly isOpen: boolean }): void;
  /** Executes the recorded deletions, and periodically those found in the log; failures are retried the next time. */
  soon(): void;
  /** The position up to which the log of the owned partitions is fully processed. */
  doneTo(position: number): number;
  /** Resolves when no work is in progress; none starts afterwards. */
  stop(): Promise<void>;
};

export type DeletionsDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly artifacts: ArtifactStore;
  readonly now: () => Date;
  /** A monotonic clock in milliseconds. */
  readonly clock: () => number;
  /** Whether a plan's partition is owned. Ownership avoids duplicate work; correctness does not depend on it. */
  readonly owns: (planId: PlanId) => boolean;
  readonly log: Logger;
};

/** Events that a plan that is not open may receive without having been deleted. */
const EXPECTED: ReadonlySet<PlanEvent["type"]> = new Set([
  "goal.submitted",
  "plan.ended",
  "plan.archived",
  "plan.deleted",
]);

export function createDeletions(deps: DeletionsDeps): Deletions {
  const { bus, owns, clock, log } = deps;
  const erasing = { ...deps, archives: createArchiveStore(bus) };
  const requested = new Set<PlanId>();
  /** By plan, the first entry that may have arrived too late. */
  const late = new Map<PlanId, number>();
  let searchAt = Number.NEGATIVE_INFINITY;
  let isStopping = false;

  const erase = async (planId: PlanId): Promise<void> => {
    try {
      await erasePlan(erasing, planId);
      log.info({ planId }, "plan deleted");
    } catch (error) {
      log.warn({ planId, reason: describeError(error) }, "the plan cannot be deleted yet");
    }
  };

  const sweep = async (): Promise<void> => {
    const some = [...late].filter(([planId]) => owns(planId)).slice(0, LOOKUPS_AT_ONCE);
    if (some.length === 0) return;
    for (const planId of await deletedAmong(
      bus,
      some.map(([planId]) => planId),
    ))
      await erase(planId);
    for (const [planId, sequence] of some) if (late.get(planId) === sequence) late.delete(planId);
    if (some.length === LOOKUPS_AT_ONCE && !isStopping) await sweep();
  };

  const work = async (): Promise<void> => {
    if (clock() - searchAt >= SEARCH_MS) {
      for (const planId of await findRequested(bus)) if (owns(planId)) requested.add(planId);
      searchAt = clock();
    }
    for (const planId of requested) {
      if (isStopping) return;
      // Failed deletions are found again; so are those of another planner's partitions, by that planner.
      requested.delete(planId);
      if (owns(planId)) await erase(planId);
    }
    await sweep();
  };
  const working = oneAtATime(work, (error) =>
    log.warn({ reason: describeError(error) }, "deletions postponed"),
  );

  return {
    heed({ event: { planId, type }, sequence }, { isOpen }) {
      if (type === "delete.requested") requested.add(planId);
      else if (isOpen || EXPECTED.has(type)) return;
      else if (!late.has(planId)) late.set(planId, sequence);
      working.soon();
    },
    soon() {
      if (requested.size > 0 || late.size > 0 || clock() - searchAt >= SEARCH_MS) working.soon();
    },
    doneTo(position) {
      const open = [...late].flatMap(([planId, sequence]) => (owns(planId) ? [sequence - 1] : []));
      return Math.min(position, ...open);
    },
    async stop() {
      isStopping = true;
      await working.stop();
    },
  };
}

/** The plans whose deletion is requested and that still exist. */
async function findRequested(bus: Bus): Promise<PlanId[]> {
  const found: PlanId[] = [];
  const requests = readEach(bus, STREAMS.plans, { next_by_subj: PENDING_DELETIONS, batch: BATCH });
  for await (const { subject } of requests) found.push(planOf(subject));
  return found;
}

async function deletedAmong(bus: Bus, planIds: readonly PlanId[]): Promise<PlanId[]> {
  const messages = await readLastOfEach(bus, STREAMS.plans, planIds.map(submissionSubject));
  return messages.flatMap((message) => {
    const tombstone = PlanDeleted.safeParse(message.json()).data;
    return tombstone === undefined ? [] : [tombstone.planId];
  });
}
