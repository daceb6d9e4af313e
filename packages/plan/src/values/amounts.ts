/** Formats amounts for display: the same in the dashboard, in the CLI, and in the reasons why a plan waits. */

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

/** An estimate, rounded to its accuracy: `about 12 s left`, `about 2 min left`, `about 1 h 20 min left`. */
export function formatLeft(leftMs: number): string {
  if (leftMs < 1_000) return "less than 1 s left";
  return `about ${roughly(Math.round(leftMs / 1_000))} left`;
}

function roughly(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : inTwo(300 * Math.round(seconds / 300), [3_600, "h"], [60, "min"]);
}

/** The elapsed time in whole seconds, so that it changes once a second: `0 s`, `1 min 5 s`. */
export function formatElapsed(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1_000));
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1_000);
}

type Unit = readonly [seconds: number, name: string];

/** In a large and a small unit; without the small one if it is zero. */
function inTwo(seconds: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const rest = Math.floor((seconds % large) / small);
  const whole = `${Math.floor(seconds / large)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}

/** US dollars: with cents, and for less than ten cents with as many digits as are significant. */
export function formatUsd(usd: number): string {
  if (usd === 0) return "$0.00";
  if (usd < 0.0001) return "< $0.0001";
  return `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}

/** @param share - From 0 to 1. */
export function formatPercent(share: number): string {
  return `${Math.round(share * 100)}%`;
}

const NUMBER = new Intl.NumberFormat("en");

/** `1,200`. */
export function formatNumber(value: number): string {
  return NUMBER.format(value);
}

/** `1 step`, `1,200 steps`. */
export function formatCount(count: number, noun: string, nouns = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : nouns}`;
}
