/** Round times for an axis. */

const STEPS = [1, 2, 5] as const;

/**
 * The times of the axis lines, from 0: at most as many as wanted, each at a multiple of 1, 2 or 5 times a power of ten of
 * milliseconds, or of a minute above that.
 */
export function ticksOf(endMs: number, wanted: number): number[] {
  if (endMs <= 0) return [0];
  const stepMs = roundUp(endMs / Math.max(1, wanted));
  return Array.from({ length: Math.floor(endMs / stepMs) + 1 }, (_, index) => index * stepMs);
}

/** The end of an axis that is still growing, rounded so that it does not move every moment. */
export function roomFor(endMs: number): number {
  return Math.max(1, roundUp(endMs / 8) * 8);
}

const UNITS_MS = [
  60_000, 300_000, 600_000, 1_800_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000, 86_400_000,
];

function roundUp(ms: number): number {
  if (ms > 30_000) return UNITS_MS.find((unit) => unit >= ms) ?? Math.ceil(ms / 86_400_000) * 86_400_000;
  if (ms > 10_000) return ms > 20_000 ? 30_000 : ms > 15_000 ? 20_000 : 15_000;
  const power = 10 ** Math.floor(Math.log10(Math.max(ms, 0.001)));
  const step = STEPS.find((one) => one * power >= ms) ?? 10;
  return step * power;
}
