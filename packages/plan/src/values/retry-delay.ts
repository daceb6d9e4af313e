import { fnv1a32 } from "./fnv1a.ts";

export const RETRY_DELAY_MS = 1_000;
export const RETRY_DELAY_MS_MAX = 300_000;
/** The longest delay that a server may request: one day. Longer requests are shortened to it. */
export const RETRY_AFTER_MS_MAX = 86_400_000;
const JITTER = 0.25;

/**
 * How long to wait before the next attempt, in whole milliseconds: 1, 2, 4 s and so on, plus jitter.
 *
 * The jitter is derived from `seed`, not random, so that every replay of a log decides the same, while steps that failed together
 * are not retried together.
 *
 * @param attempt - The attempt that failed; the first is 1.
 * @param baseMs - The wait after the first attempt; default {@link RETRY_DELAY_MS}. It doubles with each attempt.
 * @param jitter - Maximum share that is added; default 0.25.
 * @param atLeastMs - The delay that the server requested; the result is never shorter, even above
 *   {@link RETRY_DELAY_MS_MAX}, up to {@link RETRY_AFTER_MS_MAX}.
 */
export function retryDelayMs({
  attempt,
  seed,
  baseMs = RETRY_DELAY_MS,
  jitter = JITTER,
  atLeastMs = 0,
}: {
  attempt: number;
  seed: string;
  baseMs?: number;
  jitter?: number;
  atLeastMs?: number;
}): number {
  const exponential = Math.min(RETRY_DELAY_MS_MAX, baseMs * 2 ** Math.min(attempt - 1, 30));
  const share = (fnv1a32(`${seed}/${attempt}`) / 2 ** 32) * jitter;
  return Math.ceil(Math.max(exponential * (1 + share), Math.min(atLeastMs, RETRY_AFTER_MS_MAX)));
}
