import type { StepWork } from "@planwright/plan";
import type { WorkStops } from "@planwright/shared/jobs";

/** Why an attempt was told to stop. */
export type StopCause = "timeout" | "unwanted" | "worker-stops";

export type AttemptSignal = Disposable & {
  readonly signal: AbortSignal;
  /** What came first; absent while nothing has. */
  readonly cause: StopCause | undefined;
};

/**
 * The signal of one attempt: aborts when its time is over, when it is no longer needed, or when its worker stops.
 *
 * One controller, and not `AbortSignal.any` of three: those are kept by weak references and finalizers, which at
 * thousands of steps a second cost more than the steps.
 *
 * @param options.stopping - Aborts when the worker has to stop.
 */
export function attemptSignal(
  work: StepWork,
  { stops, stopping }: { readonly stops: Pick<WorkStops, "watch">; readonly stopping: AbortSignal },
): AttemptSignal {
  const controller = new AbortController();
  let cause: StopCause | undefined;
  const abort = (why: StopCause, reason: unknown): void => {
    cause ??= why;
    controller.abort(reason);
  };
  const onTimeout = (): void =>
    abort("timeout", new DOMException(`the step's ${work.timeoutMs} ms have passed`, "TimeoutError"));
  const onUnwanted = (): void =>
    abort("unwanted", new DOMException("the step is no longer wanted", "AbortError"));
  const onStopping = (): void => abort("worker-stops", stopping.reason);

  const timer = setTimeout(onTimeout, work.timeoutMs);
  const stop = stops.watch(work, onUnwanted);
  if (stopping.aborted) onStopping();
  else stopping.addEventListener("abort", onStopping, { once: true });
  return {
    signal: controller.signal,
    get cause() {
      return cause;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      stop[Symbol.dispose]();
      stopping.removeEventListener("abort", onStopping);
    },
  };
}
