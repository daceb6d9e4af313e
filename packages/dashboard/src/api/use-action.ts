import { useState } from "react";
import { type ApiError, toApiError } from "./api-error.ts";

export type Action = {
  /** Runs the action. If it fails, `error` holds the failure and nothing is thrown. */
  readonly run: (act: (signal: AbortSignal) => Promise<void>) => Promise<void>;
  readonly busy: boolean;
  readonly error: ApiError | undefined;
};

/** @param onDone - Called on success and on failure: after a refusal, the page may be out of date. */
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
