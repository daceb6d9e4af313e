import { useState } from "react";
import type { ApiError } from "../api/api-error.ts";
import type { Decision } from "../api/api-types.ts";
import { toApiError } from "../api/to-api-error.ts";
import { useServices } from "../shell/services.ts";

export type Deciding = {
  readonly decide: (decision: Decision) => Promise<void>;
  readonly sending: boolean;
  readonly error: ApiError | undefined;
};

/** Sends what a person decides; what another has decided meanwhile is told as an error. */
export function useDecide(
  { planId, approvalId }: { readonly planId: string; readonly approvalId: string },
  onDecided: () => void,
): Deciding {
  const { gateway } = useServices();
  const [sending, setSending] = useState(false);
  const [error, setError] = useState<ApiError>();
  const decide = async (decision: Decision): Promise<void> => {
    setSending(true);
    setError(undefined);
    try {
      await gateway.decide(planId, approvalId, decision, new AbortController().signal);
    } catch (thrown) {
      setError(toApiError(thrown));
    } finally {
      setSending(false);
      onDecided();
    }
  };
  return { decide, sending, error };
}
