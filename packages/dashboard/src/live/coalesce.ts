/** Calls that are asked for often and made seldom. */
export type Coalesced = {
  /** Asks for a call. It is made at once when none was made lately. */
  readonly request: () => void;
  readonly stop: () => void;
};

export type CoalesceOptions = {
  /** The least time between the starts of two calls, in milliseconds; read anew each time. */
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
