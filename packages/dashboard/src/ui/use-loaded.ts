import { useEffect, useRef, useState } from "react";
import { type ApiError, toApiError } from "../api/api-error.ts";
import { type Coalesced, coalesce } from "../live/coalesce.ts";

export type Loaded<Value> =
  | { readonly phase: "loading" }
  | { readonly phase: "ready"; readonly value: Value }
  | {
      readonly phase: "failed";
      readonly error: ApiError;
      /** Tries once more. */
      readonly again: () => void;
    };

const RELOAD_MS = 300;
const RETRY_MS = 2_000;

type LoadOptions = {
  /** The least time from one loading to the next, in milliseconds; default 300. */
  readonly reloadMs?: number;
  /** After a failure what was loaded stays, and it is tried again; default false: the failure is shown. */
  readonly insists?: boolean;
};

/**
 * Loads a value, and again (not too often) whenever `version` changes; what is shown stays meanwhile.
 *
 * @param subject - What is loaded. When it changes, what was loaded before is forgotten.
 * @param load - Must depend on nothing but the subject.
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
