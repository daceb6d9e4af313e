/**
 * Decides which plans are traced.
 *
 * The decision is made once, at submission, and is passed on in `traceparent`: a plan is traced completely or
 * not at all. Errors of a plan that is not traced still produce a separate span (see `span.ts`).
 */

export type PlanSampler = {
  /** Whether the plan with this trace id is traced. Counts the call: call it once per plan. */
  sample(traceId: string): boolean;
};

/**
 * Traces every plan up to a rate, then a share of the rest.
 *
 * The share is determined by the trace id, so that replicas agree about the same plan.
 *
 * @param options.plansPerSecond - Plans per second that are always traced.
 * @param options.ratio - Share of the others, from 0 to 1.
 * @param options.now - Milliseconds of a monotonic clock.
 */
export function createPlanSampler(options: {
  readonly plansPerSecond: number;
  readonly ratio: number;
  readonly now: () => number;
}): PlanSampler {
  let second = Number.NEGATIVE_INFINITY;
  let taken = 0;
  return {
    sample(traceId) {
      const current = Math.floor(options.now() / 1_000);
      if (current !== second) {
        second = current;
        taken = 0;
      }
      if (taken < options.plansPerSecond) {
        taken += 1;
        return true;
      }
      // By the standard, the last 56 bits of a trace id are random; 32 of them are plenty.
      return Number.parseInt(traceId.slice(-8), 16) / 2 ** 32 < options.ratio;
    },
  };
}
