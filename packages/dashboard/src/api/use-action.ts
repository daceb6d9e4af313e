import { useState } from "react";
import { type ApiError, toApiError } from "./api-error.ts";

export type Action = {
  /** Runs it, unless it fails; then the error is shown, and nothing is thrown. */
  readonly run: (act: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  readonly busy: boolean;
  readonly error: ApiError | undefined;
};

/** @param onDone - Called in either case: whoever was refused sees an old page. */
export function useAction(onDone: () => void): Action {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const run = async (act: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await act(new AbortController().signal);
    } catch (thrown) {
      setError(toApiError(thrown));
    } finally {
      setBusy(false);
      onDone();
    }
  };
  return { run, busy, error };
}
