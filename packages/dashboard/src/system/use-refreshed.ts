import { type Loaded, useLoaded } from "../ui/use-loaded.ts";
import { useNow } from "../clock/use-now.ts";
import { useVisible } from "../ui/use-visible.ts";

const EVERY_MS = 5_000;

/**
 * Loads data that appears in no plan's log, and for which the page therefore gets no change notifications. Loads it
 * again every five seconds while the page is visible.
 *
 * @param load - Must depend on nothing but the subject.
 * @param version - A new value reloads the data immediately.
 */
export function useRefreshed<Value>(
  subject: string,
  load: (signal: AbortSignal) => Promise<Value>,
  version = 0,
): Loaded<Value> {
  const now = useNow(EVERY_MS, useVisible());
  return useLoaded(subject, Math.floor(now / EVERY_MS) + version, load);
}
