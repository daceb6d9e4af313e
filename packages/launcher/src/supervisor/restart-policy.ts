const DEATHS_MAX = 5;
const WINDOW_MS = 60_000;
const BACKOFF_MS_MIN = 100;
const BACKOFF_MS_MAX = 5_000;

/** Told of a death, answers how long to wait before the next start; undefined means to give up. */
export type RestartPolicy = () => number | undefined;

/**
 * Starts what died again, after a wait that doubles with every death of the last minute, 5 s at most, and gives up at
 * the sixth: what dies that often needs a person.
 *
 * @param now - A clock in milliseconds.
 * @param deathsMax - Of one minute. An executor has no limit: a step may kill it until the queue gives that step up.
 */
export function restartPolicy(now: () => number, deathsMax = DEATHS_MAX): RestartPolicy {
  let deaths: number[] = [];
  return () => {
    const at = now();
    deaths = [...deaths.filter((earlier) => at - earlier < WINDOW_MS), at];
    if (deaths.length > deathsMax) return undefined;
    return Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (deaths.length - 1));
  };
}
