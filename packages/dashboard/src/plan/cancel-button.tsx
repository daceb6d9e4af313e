import { useState } from "react";
import { useAction } from "../api/use-action.ts";
import { useServices } from "../shell/services.ts";
import { Icon } from "../ui/icons.tsx";

/** Cancels the plan, after a second click: what runs is stopped and cannot be taken up again. */
export function CancelButton({ planId, onCancelled }: { planId: string; onCancelled: () => void }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(onCancelled);
  const [asking, setAsking] = useState(false);
  const cancel = () => {
    setAsking(false);
    void run((signal) => gateway.cancel(planId, signal));
  };
  if (asking) {
    return (
      <span className="cancel" role="group" aria-label="Cancel this plan?">
        <button type="button" className="button button-danger" autoFocus onClick={cancel}>
          Yes, cancel it
        </button>
        <button type="button" className="button" onClick={() => setAsking(false)}>
          Keep running
        </button>
      </span>
    );
  }
  return (
    <span className="cancel">
      {error !== undefined && <span role="alert">{error.message}</span>}
      <button type="button" className="button" disabled={busy} onClick={() => setAsking(true)}>
        <Icon name={busy ? "running" : "cancelled"} spin={busy} size={14} />
        {busy ? "Cancelling…" : "Cancel plan"}
      </button>
    </span>
  );
}
