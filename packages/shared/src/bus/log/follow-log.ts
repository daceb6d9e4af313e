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

/** How long a pull request waits at the server; short, so that a change of leader is noticed soon. */
const PULL_EXPIRES_MS = 3_000;
/** What opening the consumer may take: a request that comes while a leader is elected is never answered. */
const OPEN_WITHIN_MS = 2_000;
/**
 * What the library says when its consumer is no more. It recreates a consumer that has missed its heartbeats by itself, but when the
 * server that had it is dead, that attempt may never end.
 */
const LOST: ReadonlySet<string> = new Set(["ordered_consumer_recreated", "heartbeats_missed"]);
const AHEAD_MAX = 1_000;
const OPEN_AGAIN_MS = 100;
const CUT_LOOK_MS = 100;
/** For so long a log that ends too early may still grow. */
const CUT_LOOKS = 10;
const CUT_LOOKS_IN_CLUSTER = 200;
const NANOS_PER_MS = 1_000_000;

/** The log holds less than was read of it: a reader that continues would take the next messages for known ones. */
export class LogCutError extends Error {
  override readonly name = "LogCutError";
}

export type LogFollower = AsyncDisposable & {
  /** Resolves once everything that was stored when following began has been handed over. */
  readonly caughtUp: Promise<void>;
  /** Settles when following has ended; rejects when it ended by itself. */
  readonly finished: Promise<void>;
  /** The sequence of the last message, wanted or not, that was handed over as a whole. */
  readonly position: number;
};

/**
 * Hands over the facts of all plans in stream order, each once, from `from` on and for ever. Those of one message are handed
 * over in one turn of the event loop.
 *
 * An ordered consumer: it acknowledges nothing and starts again by itself after a gap or a lost
 * connection. Facts of types that this version does not know are left out. It ends with a {@link LogCutError} when the
 * log has lost its end meanwhile, as that of a server that came back with an older store.
 *
 * @param from - The first stream sequence wanted; 1 for all.
 * @param wants - Whether the fact on this subject is wanted; default all. What is not costs next to nothing here,
 *   while a consumer with several filters has the server look at every subject it stores before it begins.
 * @param onEntry - Synchronous, so that facts cannot overtake each other; it must not throw.
 * @param onUnknown - Called in the same order with what is left out.
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
  // Their rejection must not end a process that does not await them.
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
 * A new leader of a cluster may answer before it has applied all that its followers have, on a busy machine by seconds: what is missing
 * for longer is lost.
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
 * Reopens the consumer whenever a lost connection is back, or the client library has recreated it.
 *
 * The library then still counts the messages of its lost requests as on their way, and asks for so few that it
 * falls silent until heartbeats are missed, some seconds later.
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
 * Whether what the consumer had asked for was lost; false when following is to stop.
 *
 * @throws When the consumer ended by itself.
 */
async function untilLost(
  bus: Bus,
  { messages, signal }: { readonly messages: ConsumerMessages; readonly signal: AbortSignal },
): Promise<boolean> {
  // Before anything stops it: the library never ends the status of what had stopped when its status was asked for.
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
      // What was asked before the election may never be answered.
      opening.then((late) => late.stop()).catch(() => undefined);
    } catch (error) {
      if (error instanceof LogCutError || signal.aborted || bus.connection.isClosed()) throw error;
      // The server is there, but its JetStream may still be starting.
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

/** What the log is and holds now; asks again while its leader does not answer. */
export function logState(bus: Bus, log: Logger): Promise<StreamInfo> {
  return askAgain("read the state of the log", () => bus.manager.streams.info(STREAMS.plans), { log });
}
