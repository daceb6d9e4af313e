/** Wall-clock time finer than a millisecond, as spans want it. */

const DRIFT_MS_MAX = 2;

/**
 * Makes a clock of milliseconds since the epoch, with fractions.
 *
 * It counts on the monotonic clock and follows the wall clock when the two have come apart (the
 * machine slept, or its time was set), so that spans of different processes stay comparable.
 */
export function createClock(
  wallMs: () => number = Date.now,
  monotonicMs: () => number = () => performance.now(),
): () => number {
  let offsetMs = wallMs() - monotonicMs();
  return () => {
    const elapsedMs = monotonicMs();
    const driftMs = wallMs() - (offsetMs + elapsedMs);
    if (Math.abs(driftMs) > DRIFT_MS_MAX) offsetMs += driftMs;
    return offsetMs + elapsedMs;
  };
}
