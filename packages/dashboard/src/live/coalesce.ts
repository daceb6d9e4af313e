/** A call that is requested often and made rarely. */
export type Coalesced = {
  /** Requests a call. It runs immediately if none started within the interval. */
  readonly request: () => void;
  readonly stop: () => void;
};

type CoalesceOptions = {
  /** Minimum time between the starts of two calls, in milliseconds; read again before each call. */
  readonly intervalMs: () => number;
  readonly now: () => number;
};

/**
 * Makes one call for many requests: never two at a time, never two within the interval, and always
 * one that starts after the last request.
 */
export function coalesce(call: () => Promise<void>, { intervalMs, now }: CoalesceOptions): Coalesced {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let wanted = false;
  let stopped = false;
  let lastStart = Number.NEGATIVE_INFINITY;

  const run = async (): Promise<void> => {
    timer = undefined;
    wanted = false;
    running = true;
    lastStart = now();
    try {
      await call();
    } finally {
      running = false;
      if (wanted) schedule();
    }
  };
  const schedule = (): void => {
    wanted = true;
    if (stopped || running || timer !== undefined) return;
    timer = setTimeout(() => void run(), Math.max(0, lastStart + intervalMs() - now()));
  };
  return {
    request: schedule,
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
