/** Amounts as people read them: the same on the page, on the command line, and where it is said why a plan waits. */

/** A span of time in one or two units: `< 1 ms`, `12 ms`, `1.23 s`, `1 min 5 s`, `1 h 30 min`. @param durationMs - Not below 0. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1) return "< 1 ms";
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 9_995) return `${(durationMs / 1_000).toFixed(2)} s`;
  if (durationMs < 59_950) return `${(durationMs / 1_000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 3_600) return inTwo(seconds, [60, "min"], [1, "s"]);
  return inTwo(seconds, [3_600, "h"], [60, "min"]);
}

type Unit = readonly [seconds: number, name: string];

/** In a large and a small unit; without the small one where there is none of it. */
function inTwo(seconds: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((seconds % large) / small);
  const whole = `${Math.floor(seconds / large)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

/** US dollars: cents, and of less than ten cents as many digits as say something. */
export function formatUsd(usd: number): string {
  if (usd === 0) return "$0.00";
  if (usd < 0.0001) return "< $0.0001";
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}
