/** Formats lists, time spans and times. */

/** `a`, `a and b`, `a, b and c`, `a, b, c and 4 more`. */
export function listed(parts: readonly string[], max = 3): string {
  const left = parts.length - max;
  const shown = left > 0 ? [...parts.slice(0, max), `${left} more`] : parts;
  const last = shown.at(-1) ?? "";
  return shown.length < 2 ? last : `${shown.slice(0, -1).join(", ")} and ${last}`;
}

/** In whole units: `12 s`, `3 min`, `2 h`, `4 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/**
 * Returns when something will happen, in the reader's time zone, and how far away that is: `at 12:03:05, in 4 s`.
 *
 * @param nowMs - Milliseconds since the epoch.
 */
export function when(at: string, nowMs: number): string {
  const time = new Date(at);
  const leftMs = time.getTime() - nowMs;
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");
  const day =
    leftMs >= DAY_MS ? `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ` : "";
  return leftMs <= 0 ? "any moment" : `at ${day}${clock}, in ${span(leftMs)}`;
}

const DAY_MS = 86_400_000;

function two(value: number): string {
  return String(value).padStart(2, "0");
}

/** Returns the start of a text on one line, for quoting. */
export function quoted(text: string, charsMax = 160): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > charsMax ? `${line.slice(0, charsMax - 1)}…` : line;
}
