import type { PlanId, StepWork } from "@planwright/plan";
import { ALL_STOPS, type Bus, readPlan } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";

/** Tells running steps that they are no longer wanted. */
export type StopWatch = AsyncDisposable & {
  /** The signal aborts when the plan's log no longer has this attempt running. */
  watch(work: StepWork): Disposable & { readonly signal: AbortSignal };
};

/**
 * Listens for hints that work of a plan may have become unwanted, and asks the log before it believes them.
 *
 * A hint that is lost loses nothing: the step then runs to its end, and its outcome changes nothing.
 */
export function watchStops(bus: Bus, log: Logger): StopWatch {
  const running = new Map<PlanId, Map<StepWork, AbortController>>();
  const check = async (planId: PlanId): Promise<void> => {
    const plan = await readPlan(bus, planId);
    for (const [work, controller] of running.get(planId) ?? []) {
      const state = plan?.steps.get(work.stepId)?.state;
      const isWanted = state?.status === "running" && state.attempt === work.attempt;
      if (!isWanted) controller.abort(new DOMException("the step is no longer wanted", "AbortError"));
    }
  };
  const subscription = bus.connection.subscribe(ALL_STOPS, {
    callback(error, message) {
      if (error !== null) return;
      const planId = [...running.keys()].find((id) => message.subject.endsWith(`.${id}`));
      if (planId === undefined) return;
      check(planId).catch((err: unknown) => log.warn({ planId, err }, "stop not checked"));
    },
  });
  return {
    watch(work) {
      const controller = new AbortController();
      const ofPlan = running.get(work.planId) ?? new Map<StepWork, AbortController>();
      running.set(work.planId, ofPlan.set(work, controller));
      return {
        signal: controller.signal,
        [Symbol.dispose]() {
          ofPlan.delete(work);
          if (ofPlan.size === 0) running.delete(work.planId);
        },
      };
    },
    async [Symbol.asyncDispose]() {
      if (!bus.connection.isClosed()) await subscription.drain();
    },
  };
}
