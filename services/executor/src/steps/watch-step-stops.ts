import { isAttemptWanted, type PlanId, type StepWork } from "@planwright/plan";
import { type Bus, readPlan, shareReads, watchStops } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";

/** The pause before a log that could not be read is read again, and how often that is tried. */
const AGAIN_MS = 1_000;
const TRIES_MAX = 60;

/** Tells running steps that they are no longer wanted. */
export type StepStops = Disposable & {
  /** Whether the attempt may begin: what is in the queue of a plan that was stopped may not be wanted any more. */
  mayBegin(work: StepWork): Promise<boolean>;
  /** Whether a worker may continue with further steps of the plan: not after a request to stop or pause it. */
  mayGoOn(planId: PlanId): boolean;
  /** Calls back when the plan's log no longer has this attempt running, until disposed. */
  watch(work: StepWork, onUnwanted: () => void): Disposable;
};

/**
 * Listens for hints that work of a plan may have become unwanted, and asks the log before it believes them.
 *
 * A hint that is lost loses nothing: the step then runs to its end, and its outcome changes nothing.
 */
export function watchStepStops(bus: Bus, log: Logger): StepStops {
  const hints = watchStops(bus);
  // A hint is for all of a plan's steps here: together they read its log once.
  const read = shareReads((planId: PlanId) => readPlan(bus, planId));
  const isWanted = async (work: StepWork): Promise<boolean> => isAttemptWanted(await read(work.planId), work);
  return {
    mayBegin: async (work) => !hints.wasHinted(work.planId) || isWanted(work),
    mayGoOn: (planId) => !hints.wasHinted(planId),
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
