import { useRef, useState } from "react";
import { type ApiError, toApiError } from "../api/api-error.ts";
import type { Accepted } from "../api/api-types.ts";
import { navigate } from "../router/use-route.ts";
import { randomKey } from "./random-key.ts";

/** The part of a body's life that one idempotency key covers. */
type Attempt = { readonly body: string; readonly key: string };

type SubmitOptions<Body> = {
  readonly send: (body: Body, idempotencyKey: string, signal: AbortSignal) => Promise<Accepted>;
  readonly onAccepted?: () => void;
};

/** Submits a goal or a re-run, and goes to its plan. Submitting the same again after a failure cannot start it twice. */
export function useSubmit<Body extends object>({ send: post, onAccepted }: SubmitOptions<Body>) {
  const [state, setState] = useState<{ pending: boolean; error?: ApiError }>({ pending: false });
  const attempt = useRef<Attempt>(undefined);

  const send = async (request: Body): Promise<void> => {
    const body = JSON.stringify(request);
    if (attempt.current?.body !== body) attempt.current = { body, key: randomKey() };
    setState({ pending: true });
    try {
      const { planId } = await post(request, attempt.current.key, new AbortController().signal);
      onAccepted?.();
      navigate(`/plans/${planId}`);
    } catch (error) {
      setState({ pending: false, error: toApiError(error) });
    }
  };
  return { ...state, submit: (request: Body) => void send(request) };
}
