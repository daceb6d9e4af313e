/** How often the clock is checked for a jump. */
const LOOK_MS = 5_000;
/** The browser wakes a hidden page once a minute: a longer gap means that the machine slept. */
const SLEEP_MS_MIN = 90_000;

type NoticeSleepDeps = {
  /** Milliseconds since the epoch, from a clock that keeps running while the machine sleeps. */
  readonly now: () => number;
  readonly every: (intervalMs: number, callback: () => void) => void;
};

/** Calls back after the machine has slept: connections may have closed without an error. */
export function noticeSleep(onWoken: () => void, { now, every }: NoticeSleepDeps): void {
  let lookedAt = now();
  every(LOOK_MS, () => {
    const sleptMs = now() - lookedAt;
    lookedAt = now();
    if (sleptMs > SLEEP_MS_MIN) onWoken();
  });
}
