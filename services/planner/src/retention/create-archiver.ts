/**
 * Keeps the log small: moves ended plans to the archive, by age and when the log is too large, and deletes archived ones when
 * they expire. Any number of planners may run it simultaneously.
 */
import { type PlanId, partitionOf, PlanEvent } from "@planwright/plan";
import { archivePlan, createArchiveStore, type ArchiveStore } from "@planwright/shared/archive";
import { createArtifactStore, type ArtifactStore } from "@planwright/shared/artifacts";
import {
  type Bus,
  type Publish,
  STREAMS,
  archivedPlans,
  planSubjects,
  readFromLeader,
  readNext,
  submissionSubject,
  readLastOfEach,
  readSubjects,
} from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { setTimeout as delay } from "node:timers/promises";
import { readEnds, planOf } from "./due-plans.ts";

const AT_ONCE = 4;
/** Work and rest alternate, so that a backlog of old plans does not slow down running ones. */
const REST_MS_MAX = 50;
/** However full the log is, a plan stays this long for clients that still watch it. */
const STAYS_MS = 60_000;
/** A log that was too large is reduced to this share of its limit. */
const RELIEVED = 0.8;
/** A plan that could not be archived is not retried for this long. */
const PASSED_OVER_MS = 600_000;
const PASSED_OVER_MAX = 10_000;

export type RetentionSettings = {
  /** 0: never because of its age. */
  readonly endedAfterMs: number;
  /** 0: no limit. */
  readonly streamBytes: number;
  /** 0: never. */
  readonly archivesAfterMs: number;
};

export type ArchiverDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly settings: RetentionSettings;
  readonly now: () => Date;
  readonly log: Logger;
  /** Whether this archiver is responsible for a partition. Ownership avoids duplicate work; correctness does not depend on it. */
  readonly owns?: (partition: number) => boolean;
};

export type Archiver = {
  /** Does everything that is due. */
  round(signal: AbortSignal): Promise<void>;
};

export function createArchiver(deps: ArchiverDeps): Archiver {
  const { bus, settings, now, log, owns = () => true } = deps;
  const archives = createArchiveStore(bus);
  const artifacts = createArtifactStore(bus);
  const passedOver = createPassedOver(() => now().getTime());
  let sweptTo = 1;

  const archive = async (planId: PlanId): Promise<void> => {
    try {
      await archivePlan({ ...deps, archives }, planId);
    } catch (error) {
      passedOver.add(planId);
      log.warn({ planId, reason: describeError(error) }, "the plan stays in the log: it cannot be archived");
    }
  };

  /** Resolves with the sequence before which no ended plan is left. */
  const archiveEnded = async (signal: AbortSignal): Promise<number> => {
    const { state } = await bus.manager.streams.info(STREAMS.plans);
    const pressure = createPressure(state.bytes, settings.streamBytes);
    let archived = 0;
    for (let from = 1; ; ) {
      const ends = await readEnds(bus, from);
      const waiting = ends.findIndex(
        ({ endedAt }) => !isDue(now().getTime() - endedAt.getTime(), settings, pressure),
      );
      const due = waiting === -1 ? ends : ends.slice(0, waiting);
      const wanted = due.filter(({ planId }) => owns(partitionOf(planId)) && !passedOver.has(planId));
      await eachOf(wanted, ({ planId }) => archive(planId), signal);
      archived += wanted.length;
      const stopped = ends[due.length];
      if (signal.aborted || due.length < ends.length || ends.length === 0) {
        if (archived > 0) log.info({ plans: archived }, "plans archived");
        return stopped?.sequence ?? Math.max(from, state.last_seq + 1);
      }
      from = (ends.at(-1)?.sequence ?? from) + 1;
      if (pressure.isOn) pressure.measure((await bus.manager.streams.info(STREAMS.plans)).state.bytes);
    }
  };

  const archiveLeftovers = async (before: number, signal: AbortSignal): Promise<void> => {
    if (!owns(0) || sweptTo >= before || signal.aborted) return;
    const { planIds, next } = await findLeftovers(bus, { from: sweptTo, before });
    await eachOf(planIds, archive, signal);
    if (!signal.aborted) sweptTo = next;
  };

  const forgetOld = async (signal: AbortSignal): Promise<void> => {
    if (settings.archivesAfterMs === 0 || !owns(0)) return;
    const before = new Date(now().getTime() - settings.archivesAfterMs);
    while (!signal.aborted && (await forgetPlans({ bus, archives, artifacts }, before)) > 0);
  };

  return {
    async round(signal) {
      if (settings.endedAfterMs > 0 || settings.streamBytes > 0) {
        await archiveLeftovers(await archiveEnded(signal), signal);
      }
      await forgetOld(signal);
    },
  };
}

type Pressure = { readonly isOn: boolean; measure(bytes: number): void };

function createPressure(bytes: number, limit: number): Pressure {
  let isOn = limit > 0 && bytes > limit;
  return {
    get isOn() {
      return isOn;
    },
    measure(now) {
      isOn = now > limit * RELIEVED;
    },
  };
}

function isDue(ageMs: number, { endedAfterMs }: RetentionSettings, pressure: Pressure): boolean {
  return (endedAfterMs > 0 && ageMs >= endedAfterMs) || (pressure.isOn && ageMs >= STAYS_MS);
}

/** The most recent plans that could not be archived and have to wait. */
function createPassedOver(nowMs: () => number) {
  const since = new Map<PlanId, number>();
  return {
    add(planId: PlanId): void {
      since.set(planId, nowMs());
      const [oldest] = since.keys();
      if (since.size > PASSED_OVER_MAX && oldest !== undefined) since.delete(oldest);
    },
    has(planId: PlanId): boolean {
      const at = since.get(planId);
      if (at === undefined) return false;
      if (nowMs() - at < PASSED_OVER_MS) return true;
      since.delete(planId);
      return false;
    },
  };
}

async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) {
      if (signal.aborted) return;
      const startedMs = performance.now();
      await work(item);
      await delay(Math.min(performance.now() - startedMs, REST_MS_MAX));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

const BATCH = 256;

export type ForgetDeps = {
  readonly bus: Bus;
  readonly archives: ArchiveStore;
  readonly artifacts: ArtifactStore;
};

/**
 * Deletes plans that were archived before a time: their files, their remains in the log, and finally their archive, by which they
 * are found again if the process dies in between.
 *
 * @returns The number of deleted plans; less than 256 when none is left to delete.
 */
export async function forgetPlans(deps: ForgetDeps, before: Date): Promise<number> {
  const query = { seq: 1, next_by_subj: archivedPlans("*"), batch: BATCH };
  const heads = await readNext(deps.bus, STREAMS.archive, query);
  const planIds = heads.filter(({ time }) => time < before).map(({ subject }) => planOf(subject));
  for (const planId of planIds) await forget(deps, planId);
  return planIds.length;
}

async function forget({ bus, archives, artifacts }: ForgetDeps, planId: PlanId): Promise<void> {
  const head = await archives.head(planId);
  const left = await readFromLeader(bus, STREAMS.plans, {
    last_by_subj: submissionSubject(planId),
  });
  const isArchived = left !== null && PlanEvent.safeParse(left.json()).data?.type === "plan.archived";
  // A submission in the log is a new plan under an old key, with separate files.
  if (isArchived || left === null) await artifacts.removeAll(planId);
  if (isArchived) await bus.manager.streams.purge(STREAMS.plans, { filter: planSubjects(planId) });
  if (head !== undefined) await archives.remove(planId, { upTo: head });
}

/** The maximum number of messages per scan; the next one continues. */
const MESSAGES_MAX = 5_000;
const LOOKUPS_AT_ONCE = 500;

export type Leftovers = {
  /** Archived plans for which the log contains messages again, such as the late result of a worker that was suspended. */
  readonly planIds: readonly PlanId[];
  /** The sequence at which the next scan continues. */
  readonly next: number;
};

/**
 * Scans the log between two sequences. Plans that ended there have been archived, so little is left: open plans, remains of
 * archived ones, and messages that arrived too late for those.
 */
export async function findLeftovers(
  bus: Bus,
  { from, before }: { readonly from: number; readonly before: number },
): Promise<Leftovers> {
  const { subjects, next } = await readSubjects(bus, { from, before, max: MESSAGES_MAX });
  const candidates = new Set<PlanId>();
  for (const subject of subjects) {
    const planId = planOf(subject);
    if (subject !== submissionSubject(planId)) candidates.add(planId);
  }
  return { planIds: await archivedAmong(bus, [...candidates]), next };
}

async function archivedAmong(bus: Bus, planIds: readonly PlanId[]): Promise<PlanId[]> {
  const archived: PlanId[] = [];
  for (let start = 0; start < planIds.length; start += LOOKUPS_AT_ONCE) {
    const subjects = planIds.slice(start, start + LOOKUPS_AT_ONCE).map(submissionSubject);
    for (const message of await readLastOfEach(bus, STREAMS.plans, subjects)) {
      const event = PlanEvent.safeParse(message.json());
      if (event.data?.type === "plan.archived") archived.push(event.data.planId);
    }
  }
  return archived;
}
