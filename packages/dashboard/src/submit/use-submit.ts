import { useRef, useState } from "react";
import type { ApiError } from "../api/api-error.ts";
import type { GoalRequest } from "../api/api-types.ts";
import { toApiError } from "../api/to-api-error.ts";
import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";

/** The part of a body's life that one idempotency key covers. */
type Attempt = { readonly body: string; readonly key: string };

/** Submits a goal, says so, and goes to its plan. Submitting the same again after a failure cannot start it twice. */
export function useSubmit(onAccepted: () => void = () => undefined) {
  const { gateway } = useServices();
  const [state, setState] = useState<{ pending: boolean; error?: ApiError }>({ pending: false });
  const attempt = useRef<Attempt>(undefined);

  const send = async (request: GoalRequest): Promise<void> => {
    const body = JSON.stringify(request);
    if (attempt.current?.body !== body) attempt.current = { body, key: randomKey() };
    setState({ pending: true });
    try {
      const { planId } = await gateway.submit(request, attempt.current.key, new AbortController().signal);
      onAccepted();
      navigate(`/plans/${planId}`);
    } catch (error) {
      setState({ pending: false, error: toApiError(error) });
    }
  };
  return { ...state, submit: (request: GoalRequest) => void send(request) };
}

/** 128 random bits; `crypto.randomUUID` is missing where the page is served over plain HTTP. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
