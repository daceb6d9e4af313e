import type { Dispatcher } from "undici";

const DAY_MS = 86_400_000;

/**
 * How long a `Retry-After` header asks to wait, in milliseconds, at most a day.
 *
 * @returns `undefined` when it is neither a number of seconds nor a date.
 */
export function retryAfterMs(header: string | undefined, now: () => number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\s*(\d{1,9})\s*$/.exec(header)?.[1];
  const waitMs = seconds === undefined ? Date.parse(header) - now() : Number(seconds) * 1_000;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), DAY_MS);
}

/** A response's header, several of one name joined; "" without one. */
export function headerOf({ headers }: Dispatcher.ResponseData, name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(", ") : value) ?? "";
}
