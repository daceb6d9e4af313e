const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "m"],
  [1, "s"],
];
const NOW_MS = 2_000;

/**
 * Returns a time as seen from now, in one unit: `3m ago`, `in 2h`, `just now`. Text that is not a time is returned unchanged.
 *
 * @param at - ISO 8601.
 * @param nowMs - Milliseconds since the epoch.
 */
export function relativeTime(at: string, nowMs: number): string {
  const distanceMs = Date.parse(at) - nowMs;
  if (Number.isNaN(distanceMs)) return at;
  if (Math.abs(distanceMs) < NOW_MS) return "just now";
  const seconds = Math.floor(Math.abs(distanceMs) / 1_000);
  const [unit, name] = UNITS.find(([length]) => seconds >= length) ?? [1, "s"];
  const amount = `${Math.floor(seconds / unit)}${name}`;
  return distanceMs < 0 ? `${amount} ago` : `in ${amount}`;
}
