import { DeliverPolicy, type JsMsg } from "@nats-io/jetstream";
import { PlanEvent } from "@planwright/plan";
import type { Logger } from "pino";
import { describeError } from "../errors.ts";
import type { Bus } from "./connect-bus.ts";
import { ALL_PLANS } from "./subjects.ts";
import { STREAMS } from "./topology.ts";

/** How long a pull request waits at the server; short, so that a change of leader is noticed soon. */
const PULL_EXPIRES_MS = 5_000;
const AHEAD_MAX = 1_000;

export type LogEntry = {
  readonly event: PlanEvent;
  /** The message's place in the stream. */
  readonly sequence: number;
  readonly subject: string;
};

export type LogFollower = AsyncDisposable & {
  /** Resolves once everything that was stored when following began has been handed over. */
  readonly caughtUp: Promise<void>;
  /** Settles when following has ended; rejects when it ended by itself. */
  readonly finished: Promise<void>;
};

/**
 * Hands over the facts of all plans in stream order, each once, from `from` on and for ever.
 *
 * An ordered consumer: it acknowledges nothing and starts again by itself after a gap or a lost
 * connection. Facts of types that this version does not know are passed over.
 *
 * @param from - The first stream sequence wanted; 1 for all.
 * @param onEntry - Synchronous, so that facts cannot overtake each other; it must not throw.
 */
export async function followLog(
  bus: Bus,
  { from, onEntry, log }: { from: number; onEntry: (entry: LogEntry) => void; log: Logger },
): Promise<LogFollower> {
  const consumer = await bus.js.consumers.get(STREAMS.plans, {
    filter_subjects: [ALL_PLANS],
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: Math.max(1, from),
  });
  const caughtUp = Promise.withResolvers<void>();
  if ((await consumer.info()).num_pending === 0) caughtUp.resolve();
  let last = from - 1;
  const messages = await consumer.consume({
    max_messages: AHEAD_MAX,
    expires: PULL_EXPIRES_MS,
    callback(message) {
      if (message.seq > last) {
        last = message.seq;
        const entry = parseEntry(message, log);
        if (entry !== undefined) onEntry(entry);
      }
      if (message.info.pending === 0) caughtUp.resolve();
    },
  });
  const finished = messages.closed().then((error) => {
    const fault = error instanceof Error ? error : new Error("following the log ended");
    caughtUp.reject(fault);
    if (error instanceof Error) throw error;
  });
  // Whoever does not wait for these still must not be ended by their rejection.
  caughtUp.promise.catch(() => undefined);
  finished.catch(() => undefined);
  return {
    caughtUp: caughtUp.promise,
    finished,
    async [Symbol.asyncDispose]() {
      messages.stop();
      await finished.catch(() => undefined);
    },
  };
}

function parseEntry(message: JsMsg, log: Logger): LogEntry | undefined {
  const { seq: sequence, subject } = message;
  try {
    const parsed = PlanEvent.safeParse(message.json());
    if (parsed.success) return { event: parsed.data, sequence, subject };
    log.warn({ subject, sequence, issues: parsed.error.issues.slice(0, 3) }, "unknown fact passed over");
  } catch (error) {
    log.error({ subject, sequence, reason: describeError(error) }, "malformed fact passed over");
  }
  return undefined;
}
