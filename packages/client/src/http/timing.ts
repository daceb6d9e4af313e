/** Delays, backoff and time-outs. */

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;

/**
 * How long to wait before the next attempt: half fixed, half random, doubling with each failure up to 10 s, so that
 * clients that lost the same gateway do not all return together.
 *
 * @param failures - Consecutive failed attempts, from 1.
 * @param random - Uniform in [0, 1).
 */
export function backoffMs(failures: number, random: number): number {
  const ceilingMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** Math.min(failures - 1, 10));
  return Math.round(ceilingMs / 2 + (random * ceilingMs) / 2);
}

/**
 * Waits.
 *
 * @throws The signal's reason when it aborts.
 */
export function delay(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/** A signal that aborts with another one, or when it has not been restarted for a given time. */
export type Deadline = {
  readonly signal: AbortSignal;
  /** Whether it aborted because the time elapsed. */
  readonly isOver: () => boolean;
  /** Restarts the timer; 0 stops it. */
  readonly restart: (timeoutMs: number) => void;
  /** Aborts now. */
  readonly end: () => void;
  /** Detaches from the other signal and clears the timer. */
  readonly release: () => void;
};

export function createDeadline(outer: AbortSignal | undefined, timeoutMs: number): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort(outer?.reason);
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = (ms: number): void => {
    clearTimeout(timer);
    if (ms <= 0) return;
    timer = setTimeout(() => {
      isOver = true;
      controller.abort(new Error(`received nothing for ${ms} ms`));
    }, ms);
  };
  if (outer?.aborted === true) abort();
  else outer?.addEventListener("abort", abort, { once: true });
  restart(timeoutMs);
  return {
    signal: controller.signal,
    isOver: () => isOver,
    restart,
    end: () => controller.abort(new Error("the caller stopped waiting")),
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener("abort", abort);
    },
  };
}
