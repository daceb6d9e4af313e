/** The stream of dead letters: its current content, read on request, so that all gateways agree. */
import type { DeadLetter } from "@planwright/api";
import { JetStreamApiError } from "@nats-io/jetstream";
import { ALL_DEAD_LETTERS, type Bus, DEAD_LETTERS_MAX, readEach, STREAMS } from "@planwright/shared/bus";
import { createGate } from "../book/gate.ts";
import { Problem } from "../http/problem.ts";
import { readDeadLetter } from "./dead-letter.ts";
import type { CauseOf } from "./normalise-cause.ts";

const BATCH = 1_000;
const READS_AT_ONCE = 2;
const READS_WAITING_MAX = 100;
/** JetStream: there is no message of this sequence. */
const GONE = [10_037, 10_043, 10_057] as const;

export type DeadLetterStore = {
  /** Every dead letter, the oldest first, without its content. */
  all(): Promise<DeadLetter[]>;
  /** Undefined when it has been retried, discarded or forgotten. */
  get(id: string): Promise<{ readonly letter: DeadLetter; readonly payload: string } | undefined>;
  /** Takes a letter out; one that is gone stays gone. */
  remove(id: string): Promise<void>;
};

export function createDeadLetterStore(bus: Bus, causeOf: CauseOf): DeadLetterStore {
  const gate = createGate({
    atOnce: READS_AT_ONCE,
    waitingMax: READS_WAITING_MAX,
    onFull: () =>
      new Problem("overloaded", "Too many clients are reading the dead letters; try again.", {
        retryAfterS: 1,
      }),
  });
  return {
    async all() {
      using _turn = await gate.enter();
      const letters: DeadLetter[] = [];
      const stored = readEach(bus, STREAMS.dead, { next_by_subj: ALL_DEAD_LETTERS, batch: BATCH });
      for await (const message of stored) {
        letters.push(readDeadLetter(message, causeOf).letter);
        if (letters.length === DEAD_LETTERS_MAX) break;
      }
      return letters;
    },
    async get(id) {
      const seq = Number(id);
      if (!Number.isSafeInteger(seq) || seq < 1) return undefined;
      const message = await bus.manager.streams.getMessage(STREAMS.dead, { seq }).catch(undefinedWhenGone);
      return message === undefined || message === null ? undefined : readDeadLetter(message, causeOf);
    },
    async remove(id) {
      await bus.manager.streams.deleteMessage(STREAMS.dead, Number(id)).catch(undefinedWhenGone);
    },
  };
}

function undefinedWhenGone(error: unknown): undefined {
  const isGone = error instanceof JetStreamApiError && GONE.some((code) => code === error.code);
  if (!isGone) throw error;
}
