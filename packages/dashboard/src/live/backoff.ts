const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 10_000;

/**
 * How long to wait before the next attempt to connect.
 *
 * Half fixed, half random, the whole doubling per failure: tabs that lost one gateway do not return together.
 *
 * @param failures - Attempts that failed since the last success, from 1.
 * @param random - Uniform in [0, 1).
 */
export function backoffMs(failures: number, random: () => number): number {
  const ceilingMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (failures - 1));
  return Math.round(ceilingMs / 2 + (random() * ceilingMs) / 2);
}
