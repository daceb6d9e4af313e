import {
  type ConsumerMessages,
  DeliverPolicy,
  jetstream,
  type JsMsg,
  type StreamInfo,
} from "@nats-io/jetstream";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { askAgain } from "../ask-again.ts";
import type { Bus } from "../connect-bus.ts";
import { entriesOf, type LogEntry, type UnknownEntry } from "./log-entry.ts";
import { onNewLeader, onReconnect } from "../presence.ts";
import { ALL_PLANS } from "../subjects/subjects.ts";
import { STREAMS } from "../streams/topology.ts";

/** How long a pull request waits at the server; short, so that a leader change is noticed soon. */
const PULL_EXPIRES_MS = 3_000;
/** Limit for opening the consumer: a request sent during a leader election is never answered. */
const OPEN_WITHIN_MS = 2_000;
/**
 * The library's events for a consumer that no longer exists. It recreates a consumer that has missed its heartbeats, but that
 * attempt may never end when the consumer's server is dead.
 */
const LOST: ReadonlySet<string> = new Set(["ordered_consumer_recreated", "heartbeats_missed"]);
const AHEAD_MAX = 1_000;
const OPEN_AGAIN_MS = 100;
const CUT_LOOK_MS = 100;
/** How often to look at a log that ends too early before it counts as cut: it may still grow. */
const CUT_LOOKS = 10;
const CUT_LOOKS_IN_CLUSTER = 200;
const NANOS_PER_MS = 1_000_000;

/** The log is shorter than what was read of it: a reader that continued would mistake the next messages for known ones. */
export class LogCutError extends Error {
  override readonly name = "LogCutError";
}

export type LogFollower = AsyncDisposable & {
  /** Resolves once everything that was stored when following began has been delivered. */
  readonly caughtUp: Promise<void>;
  /** Settles when following has ended; rejects when it was not stopped but ended on an error. */
  readonly finished: Promise<void>;
  /** The sequence of the last message that was delivered completely, including skipped ones. */
  readonly position: number;
};

/**
 * Delivers the events of all plans in stream order, each once, from `from` on and forever. The events of one message are
 * delivered in one turn of the event loop.
 *
 * Uses an ordered consumer, which acknowledges nothing and restarts after a gap or a lost connection. Events of types unknown to
 * this version are skipped. Ends with a {@link LogCutError} when the end of the log has been lost meanwhile, for example
 * when a server came back with an older store.
 *
 * @param from - The first stream sequence to deliver; 1 for all.
 * @param wants - Whether to deliver the event on this subject; default all. Skipping events costs next to nothing here,
 *   while for a consumer with several filters the server looks at every subject in its store before it begins.
 * @param onEntry - Synchronous, so that events cannot overtake each other; it must not throw.
 * @param onUnknown - Called for skipped events, in the same order.
 */
export async function followLog(
  bus: Bus,
  {
    from,
    wants = () => true,
    onEntry,
    onUnknown,
    log,
  }: {
    from: number;
    wants?: (subject: string) => boolean;
    onEntry: (entry: LogEntry) => void;
    onUnknown?: (entry: UnknownEntry) => void;
    log: Logger;
  },
): Promise<LogFollower> {
  const caughtUp = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const js = jetstream(bus.connection, { timeout: OPEN_WITHIN_MS });
  bus.own.begin();
  let last = from - 1;
  const open = async (): Promise<ConsumerMessages> => {
    const consumer = await js.consumers.get(STREAMS.plans, {
      filter_subjects: [ALL_PLANS],
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: Math.max(1, last + 1),
    });
    if ((await consumer.info()).num_pending === 0) caughtUp.resolve();
    return consumer.consume({ max_messages: AHEAD_MAX, expires: PULL_EXPIRES_MS, callback: take });
  };
  const handOver = (message: JsMsg): void => {
    for (const entry of readMessage(bus, message, log)) {
      if ("event" in entry) onEntry(entry);
      else onUnknown?.(entry);
    }
  };
  const take = (message: JsMsg): void => {
    if (message.seq > last) {
      if (wants(message.subject)) handOver(message);
      last = message.seq;
    }
    if (message.info.pending === 0) caughtUp.resolve();
  };

  const openAgain = async (): Promise<ConsumerMessages> => {
    await refuseCutLog(bus, last);
    return open();
  };

  const first = await askAgain("follow the log", open, { log });
  const finished = keepOpen(bus, { first, open: openAgain, signal: stopping.signal }).catch(
    (error: unknown) => {
      caughtUp.reject(error);
      throw error;
    },
  );
  // Their rejection must not end a process that does not await these promises.
  caughtUp.promise.catch(() => undefined);
  finished.catch(() => undefined);
  return {
    caughtUp: caughtUp.promise,
    finished,
    get position() {
      return last;
    },
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await finished.catch(() => undefined);
    },
  };
}

/**
 * A new leader of a cluster may answer before it has applied everything that its followers have, on a busy machine seconds too
 * early. Messages that are missing for longer are lost.
 *
 * @throws {LogCutError} When the log ends before `last`.
 */
async function refuseCutLog(bus: Bus, last: number): Promise<void> {
  for (let looks = 1; ; looks++) {
    const { state, cluster } = await bus.manager.streams.info(STREAMS.plans);
    if (state.last_seq >= last) return;
    const isReplicated = (cluster?.replicas?.length ?? 0) > 0;
    if (looks >= (isReplicated ? CUT_LOOKS_IN_CLUSTER : CUT_LOOKS))
      throw new LogCutError(
        `the log was read up to ${last} and ends at ${state.last_seq} now: events are lost`,
      );
    await delay(CUT_LOOK_MS);
  }
}

type Keeping = {
  readonly first: ConsumerMessages;
  readonly open: () => Promise<ConsumerMessages>;
  readonly signal: AbortSignal;
};

/**
 * Reopens the consumer whenever a lost connection is back, or when the client library has recreated the consumer.
 *
 * After that, the library still counts the messages of its lost requests as pending, and requests so few that no message
 * arrives until heartbeats are missed, some seconds later.
 */
async function keepOpen(bus: Bus, { first, open, signal }: Keeping): Promise<void> {
  let messages = first;
  for (;;) {
    const isLost = await untilLost(bus, { messages, signal });
    messages.stop();
    if (!isLost || signal.aborted) return;
    messages = await untilOpen(bus, { open, signal });
  }
}

/**
 * Resolves with true when the consumer's requests were lost; with false when following was stopped.
 *
 * @throws When the consumer ended on an error.
 */
async function untilLost(
  bus: Bus,
  { messages, signal }: { readonly messages: ConsumerMessages; readonly signal: AbortSignal },
): Promise<boolean> {
  // Before the consumer can be stopped: the library never ends a status iterator that was requested after the stop.
  const status = messages.status();
  const stop = (): void => messages.stop();
  let isBack = false;
  using _reconnects = onReconnect(bus, () => {
    isBack = true;
    stop();
  });
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for await (const { type } of status) if (LOST.has(type)) return true;
    if (isBack) return true;
    const fault = await messages.closed();
    if (signal.aborted) return false;
    throw fault instanceof Error ? fault : new Error("following the log ended");
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function untilOpen(bus: Bus, { open, signal }: Omit<Keeping, "first">): Promise<ConsumerMessages> {
  let elected = Promise.withResolvers<undefined>();
  using _elections = onNewLeader(bus, { stream: STREAMS.plans }, () => elected.resolve(undefined));
  for (;;) {
    elected = Promise.withResolvers();
    const opening = open();
    try {
      const opened = await Promise.race([opening, elected.promise]);
      if (opened !== undefined) return opened;
      // A request sent before the election may never be answered.
      opening.then((late) => late.stop()).catch(() => undefined);
    } catch (error) {
      if (error instanceof LogCutError || signal.aborted || bus.connection.isClosed()) throw error;
      // The server answers, but its JetStream may still be starting.
      await Promise.race([delay(OPEN_AGAIN_MS), elected.promise]);
    }
  }
}

function readMessage({ own }: Bus, message: JsMsg, log: Logger): ReturnType<typeof entriesOf> {
  const { seq: sequence, subject } = message;
  const storedAtMs = Math.floor(message.info.timestampNanos / NANOS_PER_MS);
  const events = own.take(subject, message.data);
  if (events !== undefined) {
    const last = events.length - 1;
    return events.map((event, index) => ({ event, sequence, subject, storedAtMs, isLast: index === last }));
  }
  const { headers } = message;
  const entries = entriesOf({ sequence, subject, storedAtMs, headers, json: () => message.json() });
  for (const entry of entries) if (!("event" in entry)) logFault(entry, log);
  return entries;
}

function logFault({ subject, sequence, fault }: Faulty, log: Logger): void {
  switch (fault.kind) {
    case "unknown":
      log.warn({ subject, sequence, issues: fault.issues.slice(0, 3) }, "unknown event skipped");
      return;
    case "malformed":
      log.error({ subject, sequence, reason: fault.reason }, "malformed event skipped");
      return;
    case "refused": {
      const { type, refusal } = fault;
      log.error({ subject, sequence, type, refusal }, "event rejected: wrong writer");
      return;
    }
    default:
      fault satisfies never;
  }
}

type Faulty = Exclude<ReturnType<typeof entriesOf>[number], LogEntry>;

/** Returns the current configuration and state of the log; repeats the request while its leader does not answer. */
export function logState(bus: Bus, log: Logger): Promise<StreamInfo> {
  return askAgain("read the state of the log", () => bus.manager.streams.info(STREAMS.plans), { log });
}
