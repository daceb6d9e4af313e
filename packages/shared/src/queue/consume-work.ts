/**
 * The worker's side of a work queue: parse, handle, then answer exactly once.
 *
 * Invariants:
 *   WORK-1. Each delivery is answered once: ack when it was handled, nak with a delay when it may succeed
 *       later, term when it never will; a terminated message is in the dead-letter stream first. Only a message that
 *       another worker has by now is not answered: the server would take the answer for that worker's.
 *   WORK-2. A message in progress is renewed by a thread that no handler can block.
 *   WORK-3. A message is dead-lettered before it is handled again once it has failed, killed its worker or been
 *       delivered too often, each with its own limit; see `delivery-trial.ts`.
 *   WORK-4. A stopping worker hands back work that it cannot finish in time, and that does not count against the
 *       message: a step of an hour survives any number of restarts.
 *   WORK-5. A message that is redelivered to the worker that is handling it is not handled concurrently. It takes no slot
 *       while the first delivery is renewed: it came because a renewal was late.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "pino";
import type { z } from "zod";
import type { Bus } from "../bus/connect-bus.ts";
import type { Publish } from "../bus/publisher.ts";
import { deadLetterSubject } from "../bus/subjects/work-subjects.ts";
import { requireQueue } from "../bus/streams/require-streams.ts";
import { STREAMS } from "../bus/streams/topology.ts";
import { describeError, PermanentError, TransientError } from "../errors.ts";
import { extractTrace, type TraceParent } from "../telemetry/index.ts";
import type { AckRenewal } from "./ack-renewal.ts";
import { answeringFor, type Verdict, type Delivery, type Parsed, parseWork } from "./delivery.ts";
import { type DeliveryRecords, deliveryRecords, openTrial, type Trial } from "./delivery-trial.ts";
import { deliveriesInAll, handBack, headerOf } from "./hand-back.ts";
import { monotonicMs } from "./monotonic-ms.ts";
import { pullDeliveries } from "./pull-deliveries.ts";
import { TakenOverError, createTurns, type Leave, type Turns } from "./turns.ts";

const NAK_DELAY_MS = 500;
const NAK_DELAY_MS_MAX = 30_000;
/** How long a stopping worker lets work in progress run before it asks it to end; default of the queues. */
const DRAIN_MS = 5_000;
/** How long the work then has to end or to report that it must be handed back, before the worker hands it back. */
const LEAVE_MS = 1_500;
/** How long a message is renewed when the work does not define how long it may take. */
const RENEW_MS = 15 * 60_000;
const DEAD_PAYLOAD_CHARS_MAX = 100_000;

export type WorkContext = {
  /** The first delivery is 1; a higher number means that an earlier worker died or handed the work back. */
  readonly deliveries: number;
  /** The message's sequence in the queue's stream: the same for all its deliveries. */
  readonly sequence: number;
  /** When the message was stored: the same for all its deliveries, so that repeated work has the same date. */
  readonly storedAt: Date;
  /** Aborts when the worker has to stop; unfinished work is handed back. */
  readonly signal: AbortSignal;
  /** The span that sent the work. */
  readonly trace: TraceParent | undefined;
  readonly subject: string;
  /** Returns a header of the message; "" when it has none of that name. */
  readonly header: (name: string) => string;
  readonly log: Logger;
};

export type WorkHandler<Work> = {
  /**
   * Does the work. When it returns, the work is done for good.
   *
   * @throws {PermanentError} To dead-letter it.
   * @throws {TakenOverError} To leave it to the worker that has it now; after any other error it is delivered again.
   */
  handle(work: Work, context: WorkContext): Promise<void>;
  /** Records that the work will never be done, so that no plan waits for it. Can run more than once. */
  giveUp(work: Work, cause: string): Promise<void>;
  /** The same for a message that cannot be parsed: only its subject is known. */
  giveUpUnread?(subject: string, cause: string): Promise<void>;
  /** Describes the dead-lettered part of the work, for the dead letter, if the message itself does not. */
  concerns?(work: Work): Promise<object>;
  /** How long the work can take, in milliseconds, before its message is left to other workers. */
  renewForMs?(work: Work): number;
};

export type WorkConsumer = AsyncDisposable & { inHand(): number };

export type WorkQueue<Schema extends z.ZodType> = {
  /** The durable consumer, shared by all workers of the queue. */
  readonly durable: string;
  readonly filter: string;
  readonly Schema: Schema;
  readonly concurrency: number;
  /** How long a stopping worker lets work in progress run before it hands it back, in milliseconds; default 5,000. */
  readonly drainMs?: number;
};

type WorkDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly renewal: AckRenewal;
  /** Shared by all queues of a process that consumes several; see `createTurns`. */
  readonly turns?: Turns;
  readonly log: Logger;
};

type JudgeDeps = Omit<WorkDeps, "turns"> & { readonly turns: Turns; readonly records: DeliveryRecords };

/**
 * Handles work from a queue until disposed. Disposing finishes the work in progress, or hands it back after
 * {@link WorkQueue.drainMs}; work that ignores its signal is abandoned soon after.
 */
export async function consumeWork<Schema extends z.ZodType>(
  deps: WorkDeps,
  queue: WorkQueue<Schema>,
  handler: WorkHandler<z.output<Schema>>,
): Promise<WorkConsumer> {
  await requireQueue(deps.bus, queue);
  const stopping = new AbortController();
  const leaving = new AbortController();
  const inHand = new Set<Promise<void>>();
  const known = new Map<number, { readonly verdict: Promise<Verdict>; readonly renewUntilMs: number }>();
  const records = deliveryRecords(deps.bus, deps.log);
  const judging = { ...deps, records, turns: deps.turns ?? createTurns() };
  const answering = answeringFor(deps.bus);

  const onDelivery = (delivery: Delivery): void => {
    const before = known.get(delivery.sequence);
    // The server identifies a message by its sequence: an answer to one of its deliveries counts for all of them.
    if (before !== undefined && monotonicMs() < before.renewUntilMs) return pull.done();
    const work = parseWork(queue.Schema, delivery);
    const renewForMs = work.ok ? handler.renewForMs?.(work.value) : undefined;
    let renewUntilMs = 0;
    const hold = (forMs: number | undefined) => {
      renewUntilMs = monotonicMs() + (forMs ?? RENEW_MS);
      return deps.renewal.hold(delivery.ackSubject, renewUntilMs);
    };
    let release = hold(renewForMs);
    if (release === undefined) {
      // More messages than requested: requests that seemed lost with a connection were not.
      delivery.nak(0);
      pull.done();
      return;
    }
    const { sequence } = delivery;
    const renew = (forMs: number | undefined): void => {
      release?.();
      release = hold(forMs);
    };
    const onWait = (): void => renew(RENEW_MS);
    const onBegin = (): void => renew(renewForMs);
    const signals = { signal: stopping.signal, leaving: leaving.signal };
    const verdict =
      before?.verdict ?? judge(judging, { handler, delivery, work, onWait, onBegin, ...signals });
    known.set(sequence, {
      verdict,
      get renewUntilMs() {
        return renewUntilMs;
      },
    });
    const taken = verdict
      .then((found) => answering(delivery, found))
      .catch((error: unknown) => deps.log.error({ err: error }, "could not acknowledge delivery"))
      .finally(() => {
        release?.();
        known.delete(sequence);
        inHand.delete(taken);
        pull.done();
      });
    inHand.add(taken);
  };
  const consumer = { stream: STREAMS.work, durable: queue.durable };
  const pull = pullDeliveries(deps.bus, consumer, {
    concurrency: queue.concurrency,
    // Each in a separate turn of the event loop: of a hundred messages in one chunk, the first is answered before the last has
    // begun; otherwise all would be answered together at the end.
    onDelivery: (delivery) => void setImmediate(onDelivery, delivery),
  });

  return {
    inHand: () => inHand.size,
    async [Symbol.asyncDispose]() {
      await pull.stop();
      // The last message still has its turn of the event loop ahead.
      await nextTurn();
      await drain(inHand, { drainMs: queue.drainMs ?? DRAIN_MS, stopping, leaving });
    },
  };
}

/** Waits for work in progress: first until it ends, then until it has reacted to its signal, then no longer. */
async function drain(
  inHand: ReadonlySet<Promise<void>>,
  {
    drainMs,
    stopping,
    leaving,
  }: { readonly drainMs: number; readonly stopping: AbortController; readonly leaving: AbortController },
): Promise<void> {
  const reason = new DOMException("the worker stops", "AbortError");
  const timers = [
    setTimeout(() => stopping.abort(reason), drainMs),
    setTimeout(() => leaving.abort(reason), drainMs + LEAVE_MS),
  ];
  await Promise.all(inHand);
  for (const timer of timers) clearTimeout(timer);
}

type Taken<Work> = {
  readonly handler: WorkHandler<Work>;
  readonly delivery: Delivery;
  readonly work: Parsed<Work>;
  readonly signal: AbortSignal;
  /** Aborts when no caller waits any longer for work that ignores `signal`. */
  readonly leaving: AbortSignal;
  /** Called when the work has to wait for other work in this process, and again when it begins. */
  readonly onWait: () => void;
  readonly onBegin: () => void;
};

async function judge<Work>(deps: JudgeDeps, taken: Taken<Work>): Promise<Verdict> {
  const { work, delivery } = taken;
  if (!work.ok) return bury(deps, taken, work.fault);
  const trial = await openTrial(deps, delivery);
  const verdict =
    trial.hopeless === undefined
      ? await attempt(deps, { ...taken, work }, trial)
      : await bury(deps, taken, trial.hopeless);
  await trial.close(verdict.kind);
  return verdict;
}

async function attempt<Work>(
  deps: JudgeDeps,
  taken: Taken<Work> & { readonly work: { readonly value: Work } },
  trial: Trial,
): Promise<Verdict> {
  const { handler, delivery, work, signal, leaving } = taken;
  const { log } = deps;
  const { deliveries, subject, sequence, storedAt } = delivery;
  let leave: Leave | undefined;
  try {
    leave = await trial.enter(taken);
    const trace = extractTrace(delivery.headers);
    const header = (name: string): string => headerOf(delivery, name);
    const about = { deliveries: deliveriesInAll(delivery), sequence, storedAt, subject, header };
    await unlessLeft(handler.handle(work.value, { ...about, trace, signal, log }), leaving);
    return { kind: "ack" };
  } catch (error) {
    if (error instanceof TakenOverError) return { kind: "leave" };
    if (signal.aborted) return handBack(deps, delivery);
    if (error instanceof PermanentError) return bury(deps, taken, describeError(error));
    const given = trial.failedOnceMore();
    if (given !== undefined) return bury(deps, taken, `${given}, at last: ${describeError(error)}`);
    log.warn({ subject, deliveries, err: error }, "work returned to its queue");
    return { kind: "nak", delayMs: nakDelayMs(trial.failures(), error) };
  } finally {
    await leave?.();
  }
}

/** @throws The signal's reason when it aborts first; a later result is ignored. */
async function unlessLeft(handled: Promise<void>, leaving: AbortSignal): Promise<void> {
  const left = Promise.withResolvers<never>();
  const leave = (): void => left.reject(leaving.reason);
  if (leaving.aborted) leave();
  leaving.addEventListener("abort", leave, { once: true });
  try {
    await Promise.race([handled, left.promise]);
  } finally {
    leaving.removeEventListener("abort", leave);
    handled.catch(() => undefined);
    left.promise.catch(() => undefined);
  }
}

/** Moves a message to the dead-letter stream and records in the plan that it will not be done. */
async function bury<Work>(
  { publish, log }: Pick<WorkDeps, "publish" | "log">,
  { handler, delivery, work }: Pick<Taken<Work>, "handler" | "delivery" | "work">,
  cause: string,
): Promise<Verdict> {
  const { subject, deliveries, sequence } = delivery;
  log.error({ subject, deliveries, cause }, "work moved to the dead letters");
  try {
    const payload = Buffer.from(delivery.data).toString("utf8").slice(0, DEAD_PAYLOAD_CHARS_MAX);
    const concerns = work.ok ? await handler.concerns?.(work.value) : undefined;
    const letter = { cause, deliveries, payload, ...concerns };
    await publish(deadLetterSubject(subject), letter, { id: `dead/${subject}/${sequence}` });
    if (work.ok) await handler.giveUp(work.value, cause);
    else await handler.giveUpUnread?.(subject, cause);
    return { kind: "term", cause };
  } catch (error) {
    log.error({ subject, err: error }, "could not move work to the dead letters");
    return { kind: "nak", delayMs: NAK_DELAY_MS_MAX };
  }
}

function nakDelayMs(failures: number, error: unknown): number {
  const asked = error instanceof TransientError ? (error.retryAfterMs ?? 0) : 0;
  return Math.max(asked, Math.min(NAK_DELAY_MS_MAX, NAK_DELAY_MS * 2 ** (failures - 1)));
}
