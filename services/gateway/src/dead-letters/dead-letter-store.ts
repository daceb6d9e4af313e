/** The stream of dead letters: its current content, read on request, so that all gateways agree. */
import { createHash } from "node:crypto";
import { JetStreamApiError, type StoredMsg } from "@nats-io/jetstream";
import type { DeadLetter } from "@planwright/api";
import { firstStepOf, StepId } from "@planwright/plan";
import {
  ALL_DEAD_LETTERS,
  type Bus,
  DEAD_LETTERS_MAX,
  deadLetterSubject,
  parseWorkSubject,
  readEach,
  STREAMS,
  type WorkAddress,
} from "@planwright/shared/bus";
import { TENANT_DEFAULT } from "@planwright/shared/service";
import { z } from "zod";
import { createGate } from "../book/gate.ts";
import type { PlanBook } from "../book/plan-book.ts";
import { Problem } from "../http/problem.ts";
import type { CauseOf } from "./normalise-cause.ts";

/** Written by workers. Lenient: an unreadable dead letter can still be viewed and discarded. */
const Stored = z.object({
  cause: z.string().catch("unknown"),
  deliveries: z.int().catch(0),
  payload: z.string().catch(""),
  stepId: StepId.optional().catch(undefined),
  item: z.int().optional().catch(undefined),
  attempt: z.int().positive().optional().catch(undefined),
});

/** The kinds of work, under the names that users know. */
const KINDS = {
  step: "step",
  unit: "step",
  draft: "draft",
  join: "synthesis",
  review: "review",
  critique: "review",
  facts: "facts",
} as const satisfies Record<WorkAddress["kind"], DeadLetter["kind"]>;

const SUBJECT_PREFIX = deadLetterSubject("");

const BATCH = 1_000;
const READS_AT_ONCE = 2;
const READS_WAITING_MAX = 100;
/** JetStream error codes: no message with this sequence. */
const GONE = [10_037, 10_043, 10_057] as const;

export type DeadLetterStore = {
  /** Every dead letter, oldest first, without its content. */
  all(): Promise<DeadLetter[]>;
  /** Undefined when it has been retried, discarded or forgotten. */
  get(id: string): Promise<{ readonly letter: DeadLetter; readonly payload: string } | undefined>;
  /** Removes a dead letter; does nothing if it is already gone. */
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

/** A dead letter as stored in the stream. */
function readDeadLetter(message: StoredMsg, causeOf: CauseOf): { letter: DeadLetter; payload: string } {
  const { cause, deliveries, payload, stepId, item, attempt } = Stored.parse(decode(message));
  const address = parseWorkSubject(message.subject.slice(SUBJECT_PREFIX.length));
  const kind = address === undefined ? "unknown" : KINDS[address.kind];
  const pool = address?.kind === "step" || address?.kind === "unit" ? address.pool : undefined;
  const letter: DeadLetter = {
    id: String(message.seq),
    group: groupOf(kind, pool, causeOf(cause)),
    kind,
    cause,
    deliveries,
    at: message.time.toISOString(),
  };
  if (address === undefined) return { letter, payload };
  letter.planId = address.planId;
  if (address.kind === "draft") letter.number = address.draft;
  else if (address.kind === "join") letter.number = address.join;
  else if (address.kind === "facts") letter.stepId = address.stepId;
  else if (address.kind === "step") {
    letter.pool = address.pool;
    letter.stepId = stepId ?? address.stepId;
    letter.item = item ?? address.item;
    letter.attempt = attempt ?? address.attempt;
  } else if (address.kind === "unit") {
    letter.pool = address.pool;
    letter.stepId = firstStepOf(address.unit);
  } else {
    letter.number = address.review;
  }
  return { letter, payload };
}

function decode(message: StoredMsg): object {
  try {
    const value: unknown = message.json();
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Not written by one of our workers.
  }
  return { payload: message.string() };
}

function groupOf(kind: string, pool: string | undefined, cause: string): string {
  const key = `${kind} ${pool ?? ""} ${cause}`;
  return createHash("sha256").update(key).digest("base64url").slice(0, 16);
}

/**
 * The dead letters that a tenant may see: those of its own plans. The operator, i.e. the default tenant, sees those that belong
 * to no plan.
 */
export type OwnDeadLetters = {
  all(tenant: string): Promise<DeadLetter[]>;
  /** @throws {Problem} `dead_letter_not_found`, also for another tenant's dead letter. */
  get(tenant: string, id: string): Promise<{ readonly letter: DeadLetter; readonly payload: string }>;
};

export function createOwnDeadLetters(
  store: DeadLetterStore,
  book: Pick<PlanBook, "tenantOf">,
): OwnDeadLetters {
  const ownerOf = ({ planId }: DeadLetter): string =>
    (planId === undefined ? undefined : book.tenantOf(planId)) ?? TENANT_DEFAULT;
  return {
    async all(tenant) {
      return (await store.all()).filter((letter) => ownerOf(letter) === tenant);
    },
    async get(tenant, id) {
      const found = await store.get(id);
      if (found !== undefined && ownerOf(found.letter) === tenant) return found;
      throw new Problem(
        "dead_letter_not_found",
        `there is no dead letter ${JSON.stringify(id.slice(0, 40))}`,
      );
    },
  };
}
