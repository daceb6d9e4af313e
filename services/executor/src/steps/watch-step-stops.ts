import type { StepWork } from "@planwright/plan";
import { type Bus, readPlan, watchStops } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";

/** Tells running steps that they are no longer wanted. */
export type StepStops = Disposable & {
  /** The signal aborts when the plan's log no longer has this attempt running. */
  watch(work: StepWork): Disposable & { readonly signal: AbortSignal };
};

/**
 * Listens for hints that work of a plan may have become unwanted, and asks the log before it believes them.
 *
 * A hint that is lost loses nothing: the step then runs to its end, and its outcome changes nothing.
 */
export function watchStepStops(bus: Bus, log: Logger): StepStops {
  const hints = watchStops(bus);
  const isWanted = async ({ planId, stepId, attempt }: StepWork): Promise<boolean> => {
    const state = (await readPlan(bus, planId))?.steps.get(stepId)?.state;
    return state?.status === "running" && state.attempt === attempt;
  };
  return {
    watch(work) {
      const controller = new AbortController();
      const check = async (): Promise<void> => {
        if (await isWanted(work)) return;
        controller.abort(new DOMException("the step is no longer wanted", "AbortError"));
      };
      const unwatch = hints.watch(work.planId, () => {
        check().catch((err: unknown) => log.warn({ planId: work.planId, err }, "stop not checked"));
      });
      return { signal: controller.signal, [Symbol.dispose]: unwatch };
    },
    [Symbol.dispose]: () => hints[Symbol.dispose](),
  };
}
