const CRASHES_MAX = 5;
const WINDOW_MS = 60_000;
const BACKOFF_MS_MIN = 100;
const BACKOFF_MS_MAX = 5_000;

/** Called after each crash; returns the delay before the next start in milliseconds, or undefined to stop restarting. */
type RestartPolicy = () => number | undefined;

/**
 * Restarts a crashed process after a delay that doubles with every crash in the last minute, up to 5 s, and stops restarting at
 * the sixth, which needs an operator.
 *
 * @param now - A clock in milliseconds.
 * @param crashesMax - Per minute. Executors have no limit: a step can crash them until the queue dead-letters it.
 */
export function restartPolicy(now: () => number, crashesMax = CRASHES_MAX): RestartPolicy {
  let crashes: number[] = [];
  return () => {
    const at = now();
    crashes = [...crashes.filter((earlier) => at - earlier < WINDOW_MS), at];
    if (crashes.length > crashesMax) return undefined;
    return Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (crashes.length - 1));
  };
}
