/**
 * The facts of the partitions that are owned, in stream order, each once.
 *
 * One ordered consumer follows all of them: a second one runs only while partitions that were taken over
 * are being read to the end of the log, and is then merged into the first.
 */
import { PARTITIONS } from "@planwright/plan";
import {
  ALL_PLANS,
  type Bus,
  followLog,
  type LogEntry,
  type LogFollower,
  partitionSubjects,
  type UnknownEntry,
} from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { setTimeout as delay } from "node:timers/promises";

const OPEN_AGAIN_MS = 250;
/** Where a partition stands that nobody follows here: every fact of it has been seen. */
const NOT_FOLLOWED = Number.POSITIVE_INFINITY;

export type PartitionFeed = AsyncDisposable & {
  /** Rejects when the log can no longer be followed. */
  readonly finished: Promise<void>;
  /** Up to here every fact of the partitions has been handed over. */
  readonly last: number;
  /** Resolves once the partitions have been read from there to the end of the log; they are followed on. */
  add(partitions: ReadonlySet<number>, from: number): Promise<void>;
  /** Hands over nothing more of a partition. */
  mute(partition: number): void;
  /** Resolves when no muted partition is followed any more. Only then may it be added again. */
  trim(): Promise<void>;
};

/**
 * `add` and `trim` must not overlap.
 *
 * @param options.onEntry - Synchronous; it must not throw.
 * @param options.onUnknown - Called in the same order with messages that are no facts that this version knows.
 */
export function createPartitionFeed(
  bus: Bus,
  {
    onEntry,
    onUnknown,
    log,
  }: {
    onEntry: (entry: LogEntry, partition: number) => void;
    onUnknown: (entry: UnknownEntry) => void;
    log: Logger;
  },
): PartitionFeed {
  const positions = new Float64Array(PARTITIONS).fill(NOT_FOLLOWED);
  const finished = Promise.withResolvers<void>();
  finished.promise.catch(() => undefined); // Whoever does not wait for it must not be ended by it.
  const stopping = new AbortController();
  /** The main one, and one that is being read to the end. */
  const sources = new Set<Source>();
  let main: Source | undefined;

  const onceEach = (entry: LogEntry | UnknownEntry): void => {
    const partition = partitionIn(entry.subject);
    if (entry.sequence <= (positions[partition] ?? NOT_FOLLOWED)) return;
    positions[partition] = entry.sequence;
    if ("event" in entry) onEntry(entry, partition);
    else onUnknown(entry);
  };

  const follow = async (partitions: ReadonlySet<number>, from: number): Promise<Source> => {
    const source = await openSource({ bus, log, signal: stopping.signal }, { partitions, from, onceEach });
    source.follower.finished.catch(finished.reject);
    sources.add(source);
    return source;
  };

  const followed = (): Set<number> =>
    new Set([...positions.keys()].filter((partition) => positions[partition] !== NOT_FOLLOWED));

  /** Follows everything with one consumer, from where the last of the present ones stands. */
  const merge = async (): Promise<void> => {
    const merged = [...sources];
    sources.clear();
    for (const { follower } of merged) await follower[Symbol.asyncDispose]();
    const partitions = followed();
    const last = Math.min(...merged.map((source) => source.last));
    main = partitions.size === 0 ? undefined : await follow(partitions, last + 1);
  };

  return {
    finished: finished.promise,
    get last() {
      return main?.last ?? 0;
    },
    async add(partitions, from) {
      for (const partition of partitions) positions[partition] = from - 1;
      const added = await follow(partitions, from);
      await Promise.race([added.follower.caughtUp, added.follower.finished]);
      if (stopping.signal.aborted) return;
      if (main === undefined) main = added;
      else await merge();
    },
    mute: (partition) => void (positions[partition] = NOT_FOLLOWED),
    async trim() {
      const wanted = followed();
      if ([...sources].some(({ partitions }) => !partitions.isSubsetOf(wanted))) await merge();
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      for (const { follower } of sources) await follower[Symbol.asyncDispose]();
      finished.resolve();
    },
  };
}

/** One consumer, and how far it has come. */
type Source = { readonly follower: LogFollower; readonly partitions: ReadonlySet<number>; last: number };

/** Opens it as soon as the server lets it. */
async function openSource(
  { bus, log, signal }: { readonly bus: Bus; readonly log: Logger; readonly signal: AbortSignal },
  {
    partitions,
    from,
    onceEach,
  }: { partitions: ReadonlySet<number>; from: number; onceEach: (entry: LogEntry | UnknownEntry) => void },
): Promise<Source> {
  const progress = { partitions, last: from - 1 };
  const subjects = partitions.size === PARTITIONS ? [ALL_PLANS] : [...partitions].map(partitionSubjects);
  const take = (entry: LogEntry | UnknownEntry): void => {
    progress.last = entry.sequence;
    onceEach(entry);
  };
  for (;;) {
    try {
      const follower = await followLog(bus, { from, subjects, log, onEntry: take, onUnknown: take });
      return Object.assign(progress, { follower });
    } catch (error) {
      if (signal.aborted || bus.connection.isClosed()) throw error;
      log.warn({ reason: describeError(error) }, "the log cannot be followed yet");
      await delay(OPEN_AGAIN_MS, undefined, { signal });
    }
  }
}

/** `plan.<partition>.<id>.…` */
function partitionIn(subject: string): number {
  return Number.parseInt(subject.slice("plan.".length), 10);
}
