import { isAttemptWanted, type PlanId, type StepWork } from "@planwright/plan";
import { type Bus, readPlan, shareReads, watchStops } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";

/** Tells running steps that they are no longer wanted. */
export type StepStops = Disposable & {
  /** Whether the attempt may begin: what is in the queue of a plan that was stopped may not be wanted any more. */
  mayBegin(work: StepWork): Promise<boolean>;
  /** Whether a worker may go on with further steps of the plan: not once somebody has asked to stop or to pause it. */
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
    watch(work, onUnwanted) {
      const check = async (): Promise<void> => {
        if (!(await isWanted(work))) onUnwanted();
      };
      const unwatch = hints.watch(work.planId, () => {
        check().catch((err: unknown) => log.warn({ planId: work.planId, err }, "stop not checked"));
      });
      return { [Symbol.dispose]: unwatch };
    },
    [Symbol.dispose]: () => hints[Symbol.dispose](),
  };
}
