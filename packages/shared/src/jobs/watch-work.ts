import { isWorkWanted, type PlanId, type WorkSent } from "@planwright/plan";
import type { Logger } from "pino";
import type { Bus } from "../bus/connect-bus.ts";
import { readPlan } from "../bus/log/read-plan.ts";
import { shareReads } from "../bus/log/share-reads.ts";
import { watchStops } from "../bus/log/watch-stops.ts";

/** The pause before a log that could not be read is read again, and how often that is tried. */
const AGAIN_MS = 1_000;
const TRIES_MAX = 60;

/** What a worker has in hand. */
export type WorkInHand = WorkSent & { readonly planId: PlanId };

/** Tells workers that what they have in hand is no longer wanted. */
export type WorkStops = Disposable & {
  /** Whether the work may begin: what is in the queue of a plan that was stopped may not be wanted any more. */
  mayBegin(work: WorkInHand): Promise<boolean>;
  /** Whether a worker may continue with further steps of the plan: not after a request to stop or pause it. */
  mayContinue(planId: PlanId): boolean;
  /** Calls back when the plan's log no longer waits for this work, until disposed. */
  watch(work: WorkInHand, onUnwanted: () => void): Disposable;
};

/**
 * Listens for hints that work of a plan may have become unwanted, and asks the log before it believes them.
 *
 * A hint that is lost loses nothing: the work then runs to its end, and its outcome changes nothing.
 */
export function watchWork(bus: Bus, log: Logger): WorkStops {
  const hints = watchStops(bus);
  // A hint is for all of a plan's work here: together it reads the plan's log once.
  const read = shareReads((planId: PlanId) => readPlan(bus, planId));
  const isWanted = async (work: WorkInHand): Promise<boolean> => isWorkWanted(await read(work.planId), work);
  return {
    mayBegin: async (work) => !hints.wasHinted(work.planId) || isWanted(work),
    mayContinue: (planId) => !hints.wasHinted(planId),
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

/**
 * Looks whether work is still wanted at each hint that it may not be, and again while that cannot be found out, until
 * disposed: a plan that is being stopped waits for its steps.
 *
 * @param options.onHint - Has the function called at each hint; returns what ends that.
 * @param options.onFault - Told when it could not be found out often enough.
 * @param options.againMs - Before it is looked again.
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
