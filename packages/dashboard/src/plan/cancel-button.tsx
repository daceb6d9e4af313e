import { useState } from "react";
import { toApiError } from "../api/to-api-error.ts";
import { useServices } from "../shell/services.ts";
import { Icon } from "../ui/icons.tsx";

type State = "idle" | "asking" | "sending" | { readonly problem: string };

/** Cancels the plan, after a second click: what runs is stopped and cannot be taken up again. */
export function CancelButton({ planId, onCancelled }: { planId: string; onCancelled: () => void }) {
  const { gateway } = useServices();
  const [state, setState] = useState<State>("idle");
  const cancel = async () => {
    setState("sending");
    try {
      await gateway.cancel(planId, new AbortController().signal);
      onCancelled();
    } catch (error) {
      setState({ problem: toApiError(error).message });
    }
  };
  if (state === "asking") {
    return (
      <span className="cancel" role="group" aria-label="Cancel this plan?">
        <button type="button" className="button button-danger" autoFocus onClick={() => void cancel()}>
          Yes, cancel it
        </button>
        <button type="button" className="button" onClick={() => setState("idle")}>
          Keep running
        </button>
      </span>
    );
  }
  return (
    <span className="cancel">
      {typeof state === "object" && <span role="alert">{state.problem}</span>}
      <button
        type="button"
        className="button"
        disabled={state === "sending"}
        onClick={() => setState("asking")}
      >
        <Icon name={state === "sending" ? "running" : "cancelled"} spin={state === "sending"} size={14} />
        {state === "sending" ? "Cancelling…" : "Cancel plan"}
      </button>
    </span>
  );
}
