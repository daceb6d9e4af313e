import { useEffect, useRef, useState } from "react";
import { type ApiError, toApiError } from "../api/api-error.ts";
import { type Coalesced, coalesce } from "../live/coalesce.ts";

export type Loaded<Value> =
  | { readonly phase: "loading" }
  | { readonly phase: "ready"; readonly value: Value }
  | {
      readonly phase: "failed";
      readonly error: ApiError;
      /** Loads again after a failure. */
      readonly again: () => void;
    };

const RELOAD_MS = 300;
const RETRY_MS = 2_000;

type LoadOptions = {
  /** Minimum time between two loads, in milliseconds; default 300. */
  readonly reloadMs?: number;
  /** If true, keeps the loaded value after a failure and retries; default false: shows the failure. */
  readonly insists?: boolean;
};

/**
 * Loads a value, and again (at a limited rate) whenever `version` changes; the previous value stays meanwhile.
 *
 * @param subject - Identifies the value. When it changes, the previous value is dropped.
 * @param load - Must depend only on the subject.
 */
export function useLoaded<Value>(
  subject: string,
  version: number,
  load: (signal: AbortSignal) => Promise<Value>,
  { reloadMs = RELOAD_MS, insists = false }: LoadOptions = {},
): Loaded<Value> {
  const [loaded, setLoaded] = useState<{ subject: string; state: Loaded<Value> }>();
  const loader = useRef<Coalesced>(undefined);
  const least = useRef(reloadMs);
  least.current = reloadMs;
  useEffect(() => {
    const closing = new AbortController();
    const again = () => loader.current?.request();
    let retry: ReturnType<typeof setTimeout> | undefined;
    const read = async (): Promise<void> => {
      const state = await load(closing.signal).then(
        (value): Loaded<Value> => ({ phase: "ready", value }),
        (error: unknown): Loaded<Value> => ({ phase: "failed", error: toApiError(error), again }),
      );
      if (closing.signal.aborted) return;
      const isKept = insists && state.phase === "failed";
      setLoaded((shown) =>
        isKept && shown?.subject === subject && shown.state.phase === "ready" ? shown : { subject, state },
      );
      clearTimeout(retry);
      if (isKept) retry = setTimeout(opened.request, RETRY_MS);
    };
    const opened = coalesce(read, { intervalMs: () => least.current, now: () => performance.now() });
    loader.current = opened;
    return () => {
      closing.abort();
      clearTimeout(retry);
      opened.stop();
    };
  }, [subject]);
  useEffect(() => loader.current?.request(), [subject, version]);
  return loaded?.subject === subject ? loaded.state : { phase: "loading" };
}
