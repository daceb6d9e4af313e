import type { PlanEvent } from "@planwright/plan";
import { JetStreamApiError, PubHeaders, type StoredMsg, JetStreamError } from "@nats-io/jetstream";
import { MsgHdrsImpl } from "@nats-io/nats-core/internal";
import { setTimeout as delay } from "node:timers/promises";
import { TransientError } from "../errors.ts";
import { NO_RESPONDERS } from "./ask-again.ts";
import type { Bus } from "./connect-bus.ts";
import { isStray } from "./subjects/check-writer.ts";
import { readFromLeader } from "./read-from-leader.ts";
import { STREAMS } from "./streams/topology.ts";
import { errors, type Msg, type MsgHdrs } from "@nats-io/transport-node";
import { z } from "zod";
import { onReconnect } from "./presence.ts";

/** JetStream: wrong last sequence. */
const WRONG_LAST_SEQUENCE = [10_071, 10_164] as const;
/** JetStream: the store's limit is reached. */
const INSUFFICIENT_RESOURCES = 10_023;
const ATTEMPT_TIMEOUT_MS = 5_000;
const TOTAL_TIMEOUT_MS = 30_000;
const PAUSE_MS = 100;
/** Messages that one publish can skip; see {@link takesPlaceOf}. */
const STRAYS_MAX = 10;

/** Another writer was first: the expected sequence was not the last one. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
}

/** The server's store is full: nothing is lost, and publishing works again once there is room. */
export class StoreFullError extends TransientError {
  override readonly name = "StoreFullError";
}

export type PublishOptions = {
  /** The `Nats-Msg-Id`, derived from the message's purpose, so that duplicates are dropped. */
  readonly id: string;
  /**
   * Stores the message only if this is the last sequence on `subject` (default: the message's own subject;
   * wildcards allowed). 0: only if nothing is stored there.
   */
  readonly expect?: { readonly sequence: number; readonly subject?: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** The events in a record of the log. Several are a batch. */
  readonly events?: readonly PlanEvent[];
  /** Whether to wait when the store is full, for as long as when the server does not answer; default true. */
  readonly waitsForRoom?: boolean;
  /** Makes the server keep the message and publish it to `target` at this time. */
  readonly schedule?: { readonly at: Date; readonly target: string };
};

export type Published = {
  readonly sequence: number;
  /** Whether an earlier message with this id is the one in the store. */
  readonly duplicate: boolean;
};

/** Stores one message, as JSON or raw bytes, and resolves once the server has acknowledged it. */
export type Publish = (subject: string, body: unknown, options: PublishOptions) => Promise<Published>;

/**
 * Publishes JSON to JetStream, and repeats it with the same id while the server does not answer, or as soon as a lost
 * connection is back.
 *
 * @throws {ConflictError} From the returned function, when `expect` does not hold.
 * @throws {StoreFullError} When the store has had no room for 30 s, or immediately if the caller does not wait.
 * @throws {TransientError} When the server has not answered for 30 s.
 */
export function createPublish(bus: Bus): Publish {
  const request = createPublishRequests(bus, { timeoutMs: ATTEMPT_TIMEOUT_MS });
  return async (subject, body, options) => {
    const payload = body instanceof Uint8Array ? body : JSON.stringify(body);
    const headers = MsgHdrsImpl.fromRecord(headersFor(subject, options));
    if (options.events !== undefined && payload instanceof Uint8Array)
      bus.own.keep(subject, payload, options.events);
    let strays = 0;
    const giveUpAt = performance.now() + TOTAL_TIMEOUT_MS;
    for (;;) {
      try {
        const ack = await request(subject, payload, headers);
        return { sequence: ack.seq, duplicate: ack.duplicate ?? false };
      } catch (error) {
        if (isConflict(error)) {
          const last = await lastOn(bus, subject);
          if (last?.header.get(PubHeaders.MsgIdHdr) === options.id) {
            return { sequence: last.seq, duplicate: true };
          }
          if (last !== undefined && takesPlaceOf(last, { subject, options, attempts: (strays += 1) })) {
            headers.set(PubHeaders.ExpectedLastSubjectSequenceHdr, String(last.seq));
            continue;
          }
          throw new ConflictError(`${subject}: another writer was first`, { cause: error });
        }
        if (error instanceof JetStreamApiError && !mayPass(error)) throw error;
        const isLate = bus.connection.isClosed() || performance.now() > giveUpAt;
        if (isFull(error) && (isLate || options.waitsForRoom === false)) {
          throw new StoreFullError("the store is full", { cause: error });
        }
        if (isLate) {
          throw new TransientError(`cannot publish to ${subject}`, { cause: error });
        }
        await delay(PAUSE_MS);
      }
    }
  };
}

function headersFor(
  subject: string,
  { id, expect, schedule, headers }: PublishOptions,
): Record<string, string[]> {
  const all: Record<string, string[]> = {};
  const set = (name: string, value: string): void => {
    // A line break would end the header and inject another one.
    if (/[\r\n]/.test(value)) {
      throw new TypeError(`wanted a header on one line, got ${name}: ${JSON.stringify(value)}`);
    }
    all[name] = [value];
  };
  for (const name in headers) set(name, headers[name] ?? "");
  set(PubHeaders.MsgIdHdr, id);
  if (expect !== undefined) {
    set(PubHeaders.ExpectedLastSubjectSequenceHdr, String(expect.sequence));
    if (expect.subject !== undefined && expect.subject !== subject) {
      set(PubHeaders.ExpectedLastSubjectSequenceSubjectHdr, expect.subject);
    }
  }
  if (schedule !== undefined) {
    set(PubHeaders.Schedule, `@at ${schedule.at.toISOString()}`);
    set(PubHeaders.ScheduleTarget, schedule.target);
  }
  return all;
}

function isConflict(error: unknown): boolean {
  return error instanceof JetStreamApiError && WRONG_LAST_SEQUENCE.some((code) => code === error.code);
}

/**
 * The server checks expectations before ids, so a duplicate of a stored message looks like a
 * conflict. It is not one when the last message on the subject is this one.
 */
async function lastOn(bus: Bus, subject: string): Promise<StoredMsg | undefined> {
  if (!subject.startsWith("plan.")) return undefined;
  return (await readFromLeader(bus, STREAMS.plans, { last_by_subj: subject })) ?? undefined;
}

/**
 * Whether a message that must be the first on its subject may follow the existing one: the existing message was put there by
 * the scheduler, for a client that may not write there, and readers ignore it.
 */
function takesPlaceOf(
  last: StoredMsg,
  { subject, options, attempts }: { subject: string; options: PublishOptions; attempts: number },
): boolean {
  const isFirst = options.expect?.sequence === 0 && (options.expect.subject ?? subject) === subject;
  return isFirst && attempts <= STRAYS_MAX && isStray(subject, last.header);
}

function isFull(error: unknown): boolean {
  return error instanceof JetStreamApiError && error.code === INSUFFICIENT_RESOURCES;
}

/** The server answers, but its JetStream is starting or has lost its leader. */
function mayPass(error: JetStreamApiError): boolean {
  return error.status === NO_RESPONDERS || error.status === 408;
}

const SWEEP_MS = 250;
/** A publisher above this limit waits until others have been answered. */
const UNANSWERED_MAX = 16_384;

/**
 * Publishes to JetStream with only a promise and a table entry per message.
 *
 * The client library's request creates two promises, a timer and an error object per message. Here all messages
 * share one subscription for acknowledgements and one timer for timeouts. The reply's format is that of
 * NATS ADR-1 and ADR-22.
 */
type PubAck = { readonly seq: number; readonly duplicate?: boolean };

type PublishRequest = (subject: string, payload: Uint8Array | string, headers: MsgHdrs) => Promise<PubAck>;

const Reply = z.object({
  seq: z.number().optional(),
  duplicate: z.boolean().optional(),
  error: z
    .object({ code: z.number(), err_code: z.number().default(0), description: z.string().default("") })
    .optional(),
});

type Unanswered = {
  readonly subject: string;
  readonly giveUpAt: number;
  readonly resolve: (ack: PubAck) => void;
  readonly reject: (reason: unknown) => void;
};

/**
 * @param options.timeoutMs - How long to wait for an answer.
 * @throws From the returned function: a `JetStreamApiError` when the server rejects the message; errors of the client library
 *   for a lost connection, a missing stream or a timeout.
 */
function createPublishRequests(bus: Bus, { timeoutMs }: { timeoutMs: number }): PublishRequest {
  const { connection, outbox } = bus;
  const inbox = bus.newInbox();
  const unanswered = new Map<string, Unanswered>();
  let room: PromiseWithResolvers<void> | undefined;
  let sweep: NodeJS.Timeout | undefined;
  let count = 0;

  const take = (token: string): Unanswered | undefined => {
    const request = unanswered.get(token);
    if (request === undefined) return undefined;
    unanswered.delete(token);
    if (room !== undefined && unanswered.size < UNANSWERED_MAX) {
      room.resolve();
      room = undefined;
    }
    return request;
  };

  const failAll = (reason: Error, concerns: (request: Unanswered) => boolean): void => {
    for (const [token, request] of unanswered) if (concerns(request)) take(token)?.reject(reason);
  };

  const sweepNow = (): void => {
    const now = performance.now();
    failAll(new errors.TimeoutError(), ({ giveUpAt }) => giveUpAt <= now);
    if (unanswered.size > 0) return;
    clearInterval(sweep);
    sweep = undefined;
  };

  connection.subscribe(`${inbox}.*`, {
    callback(error, message) {
      const request = take(message.subject.slice(inbox.length + 1));
      if (request === undefined) return;
      if (error !== null) request.reject(error);
      else settle(request, message);
    },
  });

  // Requests on a connection that has been replaced are never answered.
  onReconnect(bus, () => failAll(new Error("the connection was lost"), () => true));

  return async (subject, payload, headers) => {
    while (unanswered.size >= UNANSWERED_MAX) {
      room ??= Promise.withResolvers<void>();
      await room.promise;
    }
    count += 1;
    const token = count.toString(36);
    const { promise, resolve, reject } = Promise.withResolvers<PubAck>();
    unanswered.set(token, { subject, giveUpAt: performance.now() + timeoutMs, resolve, reject });
    sweep ??= setInterval(sweepNow, SWEEP_MS).unref();
    const onError = (error: unknown): void => take(token)?.reject(error);
    outbox.send(subject, payload, { headers, reply: `${inbox}.${token}`, onError });
    return promise;
  };
}

function settle({ subject, resolve, reject }: Unanswered, message: Msg): void {
  if (message.data.byteLength === 0) {
    const isMissing = message.headers?.code === NO_RESPONDERS;
    reject(
      isMissing ? new errors.NoRespondersError(subject) : new JetStreamError("an empty acknowledgement"),
    );
    return;
  }
  const { seq, duplicate, error } = Reply.parse(message.json());
  if (error !== undefined) reject(new JetStreamApiError(error));
  else if (seq === undefined) reject(new JetStreamError("an acknowledgement without a sequence"));
  else resolve(duplicate === undefined ? { seq } : { seq, duplicate });
}
