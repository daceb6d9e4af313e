/**
 * The events of the owned partitions, in stream order, each once.
 *
 * A single consumer follows the whole log, and events of other partitions are dropped unread: with a filter per partition, the
 * server would have to check every stored subject whenever the consumer is opened. Partitions added later are read to the end of
 * the log by a second consumer, while their events from the first one wait.
 *
 * Invariants:
 *   FEED-1. A partition's events are handed over by one consumer at a time, without gap or repeat.
 *   FEED-2. Adding a partition never delays the others.
 */
import { PARTITIONS } from "@planwright/plan";
import {
  type Bus,
  followLog,
  type LogEntry,
  type LogFollower,
  partitionIn,
  type UnknownEntry,
} from "@planwright/shared/bus";
import { describeError } from "@planwright/shared/errors";
import type { Logger } from "@planwright/shared/service";
import { setTimeout as delay } from "node:timers/promises";

const OPEN_AGAIN_MS = 250;
/** The maximum number of waiting events; above it, the rest of the log, which is shorter by then, is read again. */
const WAITING_MAX = 10_000;

export type PartitionFeed = AsyncDisposable & {
  /** Rejects when the log can no longer be followed. */
  readonly finished: Promise<void>;
  /** The position up to which every event of the partitions has been handed over. */
  readonly position: number;
  /** Resolves once the partitions have been read from that position to the end of the log; from then on they are followed. */
  add(partitions: ReadonlySet<number>, from: number): Promise<void>;
  /** Stops handing over events of a partition, even while it is being added. */
  mute(partition: number): void;
};

type Entry = LogEntry | UnknownEntry;

/** Which consumer hands over a partition's events: none, the first, or the second while the first one's events wait. */
type Way = "muted" | "followed" | "added";

export type FeedOptions = {
  /** Synchronous; must not throw. */
  readonly onEntry: (entry: LogEntry, partition: number) => void;
  /** Called in the same order with messages of types unknown to this version. */
  readonly onUnknown: (entry: UnknownEntry) => void;
  readonly log: Logger;
  /** The maximum number of events that wait while partitions are added; default 10,000. */
  readonly waitingMax?: number;
};

/** Calls of `add` must not overlap. */
export function createPartitionFeed(
  bus: Bus,
  { onEntry, onUnknown, log, waitingMax = WAITING_MAX }: FeedOptions,
): PartitionFeed {
  const ways: Way[] = Array.from({ length: PARTITIONS }, () => "muted");
  /** The position up to which the second consumer, which may have been ahead of the first, handed over each partition. */
  const addedTo = new Float64Array(PARTITIONS);
  const followers = createFollowers(bus, log);
  let main: LogFollower | undefined;
  /** Events of the first consumer for partitions that are being added; absent when there are too many. */
  let waiting: Entry[] | undefined;
  let room = waitingMax;

  const handOver = (entry: Entry, partition: number): void => {
    if ("event" in entry) onEntry(entry, partition);
    else onUnknown(entry);
  };

  const take = (entry: Entry): void => {
    const partition = partitionIn(entry.subject);
    if (ways[partition] !== "followed") {
      if (waiting?.push(entry) === room) waiting = undefined;
    } else if (entry.sequence > (addedTo[partition] ?? 0)) handOver(entry, partition);
  };

  /** Returns the position up to which added partitions were handed over. */
  const readToEnd = async (from: number): Promise<number> => {
    let isOver = false;
    const wants = (subject: string): boolean => !isOver && ways[partitionIn(subject)] === "added";
    const pass = (entry: Entry): void => handOver(entry, partitionIn(entry.subject));
    await using follower = await followers.open({ from, wants, onEntry: pass, onUnknown: pass });
    await Promise.race([follower.caughtUp, follower.finished]);
    // It may deliver some more events before it stops; those are already waiting.
    isOver = true;
    return follower.position;
  };

  const addTo = async (added: ReadonlySet<number>, from: number): Promise<void> => {
    let entries: readonly Entry[] | undefined;
    let position = from - 1;
    // The limit doubles each time, so that this ends however fast events arrive.
    for (room = waitingMax; entries === undefined && !followers.isStopped(); room *= 2) {
      waiting = [];
      position = await readToEnd(position + 1);
      entries = waiting;
    }
    waiting = undefined;
    for (const partition of added) {
      if (ways[partition] !== "added") continue;
      ways[partition] = "followed";
      addedTo[partition] = position;
    }
    for (const entry of entries ?? []) take(entry);
  };

  return {
    finished: followers.finished,
    get position() {
      return main?.position ?? 0;
    },
    async add(partitions, from) {
      const isFirst = main === undefined;
      for (const partition of partitions) ways[partition] = isFirst ? "followed" : "added";
      if (!isFirst) return addTo(partitions, from);
      const wants = (subject: string): boolean => ways[partitionIn(subject)] !== "muted";
      main = await followers.open({ from, wants, onEntry: take, onUnknown: take });
      await Promise.race([main.caughtUp, main.finished]);
    },
    mute: (partition) => void (ways[partition] = "muted"),
    [Symbol.asyncDispose]: () => followers[Symbol.asyncDispose](),
  };
}

type Followers = AsyncDisposable & {
  /** Opens a consumer as soon as the server permits it. */
  open(options: Omit<Parameters<typeof followLog>[1], "log">): Promise<LogFollower>;
  /** Rejects when one of them has ended unexpectedly. */
  readonly finished: Promise<void>;
  isStopped(): boolean;
};

function createFollowers(bus: Bus, log: Logger): Followers {
  const finished = Promise.withResolvers<void>();
  finished.promise.catch(() => undefined); // Keeps its rejection from ending a process that does not await it.
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Set<LogFollower>();
  return {
    finished: finished.promise,
    isStopped: () => signal.aborted,
    async open(options) {
      for (;;) {
        try {
          const follower = await followLog(bus, { ...options, log });
          if (signal.aborted) await follower[Symbol.asyncDispose]();
          running.add(follower);
          follower.finished.then(() => running.delete(follower), finished.reject);
          return follower;
        } catch (error) {
          if (signal.aborted || bus.connection.isClosed()) throw error;
          log.warn({ reason: describeError(error) }, "the log cannot be followed yet");
          await delay(OPEN_AGAIN_MS, undefined, { signal });
        }
      }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      for (const follower of running) await follower[Symbol.asyncDispose]();
      finished.resolve();
    },
  };
}
