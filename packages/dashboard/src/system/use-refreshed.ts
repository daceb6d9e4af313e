import { type Loaded, useLoaded } from "../ui/use-loaded.ts";
import { useNow } from "../ui/use-now.ts";
import { useVisible } from "../ui/use-visible.ts";

const EVERY_MS = 5_000;

/**
 * Loads what no plan's log tells of, so that nobody can tell the page when it changes, and again every five seconds
 * while it is seen.
 *
 * @param load - Must depend on nothing but the subject.
 * @param version - Whoever changes it wants it loaded again now.
 */
export function useRefreshed<Value>(
  subject: string,
  load: (signal: AbortSignal) => Promise<Value>,
  version = 0,
): Loaded<Value> {
  const now = useNow(EVERY_MS, useVisible());
  return useLoaded(subject, Math.floor(now / EVERY_MS) + version, load);
}
