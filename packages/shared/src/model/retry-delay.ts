/** How long to wait before a model server is asked again. */

const BACKOFF_MS_MIN = 500;
export const BACKOFF_MS_MAX = 30_000;
/** Spreads those who were told to come back at the same moment. */
const SPREAD_MS = 250;

/**
 * What the server asked for, in milliseconds: `retry-after-ms` first, then `retry-after` as seconds or
 * as an HTTP date. Not capped; the caller compares it with its deadline.
 *
 * @param nowMs - Milliseconds since the epoch, to read dates by.
 * @returns Undefined when the server did not say, or not in a form that can be read.
 */
export function retryAfterMs(headers: Pick<Headers, "get"> | undefined, nowMs: number): number | undefined {
  const inMs = decimal(headers?.get("retry-after-ms"));
  if (inMs !== undefined) return inMs;
  const value = headers?.get("retry-after");
  const inSeconds = decimal(value);
  if (inSeconds !== undefined) return inSeconds * 1_000;
  const at = Date.parse(value ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}

/**
 * How long to wait after a failed attempt: as the server asked, or else with full jitter below a
 * ceiling that doubles per attempt.
 *
 * @param options.attempt - The attempt that failed; the first is 1.
 * @param options.random - Uniform in [0, 1).
 * @returns Milliseconds, whole.
 */
export function retryDelayMs(options: {
  readonly attempt: number;
  readonly askedMs: number | undefined;
  readonly random: () => number;
}): number {
  if (options.askedMs !== undefined) return Math.ceil(options.askedMs + options.random() * SPREAD_MS);
  const ceilingMs = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (options.attempt - 1));
  return Math.floor(options.random() * (ceilingMs + 1));
}

function decimal(value: string | null | undefined): number | undefined {
  return /^\s*\d+(\.\d+)?\s*$/.test(value ?? "") ? Number(value) : undefined;
}
