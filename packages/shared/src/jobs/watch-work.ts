import { isWorkWanted, type KnownPlan, PlanId, type WorkSent } from "@planwright/plan";
import type { Logger } from "pino";
import { askAgain } from "../bus/ask-again.ts";
import type { Bus } from "../bus/connect-bus.ts";
import { readPlan } from "../bus/log/read-plan.ts";
import { ALL_STOPS } from "../bus/subjects/core-subjects.ts";
import { STREAMS } from "../bus/streams/topology.ts";

/** The pause before a failed read of the log is repeated, and the number of repetitions. */
const AGAIN_MS = 1_000;
const TRIES_MAX = 60;

/** Work that a worker is doing. */
export type WorkInHand = WorkSent & { readonly planId: PlanId };

/** Notifies workers when the work they are doing is no longer wanted. */
export type WorkStops = Disposable & {
  /** Whether a hint said that the plan is stopped or paused. */
  wasHinted(planId: PlanId): boolean;
  /** Whether the plan's log waits for this work. Simultaneous callers share one read of a plan's log. */
  isWanted(work: WorkInHand): Promise<boolean>;
  /** Calls back at each such hint, until disposed. */
  watchHints(planId: PlanId, onHint: () => void): Disposable;
  /** Calls back when the plan's log no longer waits for this work, until disposed. */
  watch(work: WorkInHand, onUnwanted: () => void): Disposable;
};

/** Also tells workers which queued work can start. */
export type QueueStops = WorkStops & {
  /**
   * Whether the work can start: queued work of a plan that has been stopped may no longer be wanted.
   *
   * @param message - The sequence of the work's message in the stream of work.
   */
  mayBegin(work: WorkInHand, message: number): Promise<boolean>;
};

/**
 * Listens for hints that work of a plan may have become unwanted, and verifies them in the log.
 *
 * Losing a hint does no harm: the work then runs to its end, and its outcome has no effect.
 */
export function watchWork(bus: Bus, log: Logger): WorkStops {
  const hints = watchStops(bus);
  // A hint concerns all work of a plan in this process, which shares one read of the plan's log.
  const read = shareReads((planId: PlanId) => readPlan(bus, planId));
  const isWanted = async (work: WorkInHand): Promise<boolean> => isWorkWanted(await read(work.planId), work);
  return {
    wasHinted: (planId) => hints.wasHinted(planId),
    isWanted,
    watchHints: (planId, onHint) => ({ [Symbol.dispose]: hints.watch(planId, onHint) }),
    watch: (work, onUnwanted) =>
      watchWanted({
        onHint: (look) => hints.watch(work.planId, look),
        isWanted: () => isWanted(work),
        onUnwanted,
        onFault: (err) => log.warn({ planId: work.planId, err }, "could not check for a stop request"),
        againMs: AGAIN_MS,
      }),
    [Symbol.dispose]: () => hints[Symbol.dispose](),
  };
}

/** Does the same for a worker that takes work off a queue. Work sent before it listened is verified too: a hint may have preceded it. */
export async function watchQueue(bus: Bus, log: Logger): Promise<QueueStops> {
  await using cleanup = new AsyncDisposableStack();
  const stops = cleanup.use(watchWork(bus, log));
  const unheardTo = await lastWork(bus, log);
  const unheard = createUnheard((planId) => readPlan(bus, planId));
  cleanup.move();
  return {
    ...stops,
    async mayBegin(work, message) {
      if (stops.wasHinted(work.planId)) return stops.isWanted(work);
      return message > unheardTo || isWorkWanted(await unheard(work.planId), work);
    },
  };
}

/**
 * Checks whether work is still wanted at each hint that it may not be, and repeats failed checks until
 * disposed: a plan that is being stopped waits for its steps.
 *
 * @param options.onHint - Registers a function to be called at each hint; returns a function that removes it.
 * @param options.onFault - Called when too many checks have failed.
 * @param options.againMs - Delay before a failed check is repeated.
 */
export function watchWanted({
  onHint,
  isWanted,
  onUnwanted,
  onFault,
  againMs,
}: {
  readonly onHint: (look: () => void) => () => void;
  readonly isWanted: () => Promise<boolean>;
  readonly onUnwanted: () => void;
  readonly onFault: (error: unknown) => void;
  readonly againMs: number;
}): Disposable {
  let isOver = false;
  const timers = new Set<NodeJS.Timeout>();
  const look = async (triesLeft: number): Promise<void> => {
    try {
      if (!isOver && !(await isWanted()) && !isOver) onUnwanted();
    } catch (error) {
      if (isOver) return;
      if (triesLeft === 0) return onFault(error);
      const timer = setTimeout(() => {
        timers.delete(timer);
        void look(triesLeft - 1);
      }, againMs);
      timers.add(timer);
    }
  };
  const unwatch = onHint(() => void look(TRIES_MAX - 1));
  return {
    [Symbol.dispose]() {
      isOver = true;
      unwatch();
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

const UNHEARD_PLANS_MAX = 8;

/**
 * Plans at the time when this worker began to listen for hints, so that a plan's queued work reads its log once. Later changes
 * cause hints.
 */
function createUnheard(read: (planId: PlanId) => Promise<KnownPlan | undefined>) {
  const plans = new Map<PlanId, Promise<KnownPlan | undefined>>();
  return (planId: PlanId): Promise<KnownPlan | undefined> => {
    const known = plans.get(planId) ?? read(planId);
    plans.delete(planId);
    plans.set(planId, known);
    known.catch(() => plans.delete(planId));
    const [oldest] = plans.keys();
    if (plans.size > UNHEARD_PLANS_MAX && oldest !== undefined) plans.delete(oldest);
    return known;
  };
}

/** Returns the sequence of the last work that was sent. */
async function lastWork(bus: Bus, log: Logger): Promise<number> {
  const read = () => bus.manager.streams.info(STREAMS.work);
  return (await askAgain("read the state of the queues", read, { log })).state.last_seq;
}

type StopHints = Disposable & {
  /**
   * Calls `onHint` whenever work for the plan may no longer be wanted, until the
   * returned function is called. A hint proves nothing: look at the plan.
   */
  watch(planId: PlanId, onHint: () => void): () => void;
  /** Whether there was a hint for the plan; covers the last 10,000 plans. */
  wasHinted(planId: PlanId): boolean;
};

const REMEMBERED_MAX = 10_000;

/** Listens for stop hints, with one subscription for all plans. */
function watchStops(bus: Bus): StopHints {
  const hinted = new Set<PlanId>();
  const watching = new Map<string, Set<() => void>>();
  const subscription = bus.connection.subscribe(ALL_STOPS, {
    callback: (_error, { subject }) => {
      const planId = PlanId.safeParse(subject.split(".").at(-1));
      if (!planId.success) return;
      remember(hinted, planId.data);
      for (const onHint of watching.get(planId.data) ?? []) onHint();
    },
  });
  return {
    watch(planId, onHint) {
      const watchers = watching.get(planId) ?? new Set();
      watching.set(planId, watchers.add(onHint));
      return () => {
        watchers.delete(onHint);
        if (watchers.size === 0 && watching.get(planId) === watchers) watching.delete(planId);
      };
    },
    wasHinted: (planId) => hinted.has(planId),
    [Symbol.dispose]: () => subscription.unsubscribe(),
  };
}

/** Evicts the oldest when there are too many. */
function remember(hinted: Set<PlanId>, planId: PlanId): void {
  hinted.delete(planId);
  hinted.add(planId);
  if (hinted.size <= REMEMBERED_MAX) return;
  for (const oldest of hinted) {
    hinted.delete(oldest);
    return;
  }
}

/**
 * Shares one read among all simultaneous callers: when hundreds need the same value at the same moment, it is read once, and
 * once more for those that called after that read began, because it may not show the latest changes.
 *
 * @param read - Must return at least the state at the time of the call.
 */
export function shareReads<Key, Value>(read: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const underWay = new Map<Key, Promise<Value>>();
  /** Reads that have not started. */
  const next = new Map<Key, Promise<Value>>();

  const readAfter = async (key: Key, before: Promise<unknown> | undefined): Promise<Value> => {
    await before?.catch(() => undefined);
    const own = next.get(key);
    next.delete(key);
    if (own !== undefined) underWay.set(key, own);
    try {
      return await read(key);
    } finally {
      if (underWay.get(key) === own) underWay.delete(key);
    }
  };
  return (key) => {
    const waiting = next.get(key);
    if (waiting !== undefined) return waiting;
    const reading = Promise.resolve().then(() => readAfter(key, underWay.get(key)));
    next.set(key, reading);
    return reading;
  };
}
