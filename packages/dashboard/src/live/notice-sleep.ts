/** How often it is looked whether time has passed unnoticed. */
const LOOK_MS = 5_000;
/** A hidden page is woken once a minute: what is longer than that was a sleep. */
const SLEEP_MS_MIN = 90_000;

export type NoticeSleepDeps = {
  /** Milliseconds since the epoch: the clock that goes on while the machine sleeps. */
  readonly now: () => number;
  readonly every: (intervalMs: number, callback: () => void) => void;
};

/** Calls back when the machine has slept: connections may have ended without anybody noticing. */
export function noticeSleep(onWoken: () => void, { now, every }: NoticeSleepDeps): void {
  let lookedAt = now();
  every(LOOK_MS, () => {
    const sleptMs = now() - lookedAt;
    lookedAt = now();
    if (sleptMs > SLEEP_MS_MIN) onWoken();
  });
}
