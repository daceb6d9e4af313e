import { useState } from "react";
import { useAction } from "../api/use-action.ts";
import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { Icon } from "../ui/icons.tsx";

/** Deletes an ended plan, after a second click, and shows the list. */
export function DeleteButton({ planId }: { planId: string }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(() => undefined);
  const [asking, setAsking] = useState(false);
  const remove = () => {
    setAsking(false);
    void run(async (signal) => {
      await gateway.deletePlan(planId, signal);
      navigate("/");
    });
  };
  if (asking) {
    return (
      <span
        className="cancel"
        role="group"
        aria-label="Delete this plan for good, with its files and sub-plans?"
      >
        <button type="button" className="button button-danger" autoFocus onClick={remove}>
          Yes, delete it for good
        </button>
        <button type="button" className="button" onClick={() => setAsking(false)}>
          Keep it
        </button>
      </span>
    );
  }
  return (
    <span className="cancel">
      {error !== undefined && <span role="alert">{error.message}</span>}
      <button type="button" className="button" disabled={busy} onClick={() => setAsking(true)}>
        <Icon name={busy ? "running" : "cancelled"} spin={busy} size={14} />
        {busy ? "Deleting…" : "Delete"}
      </button>
    </span>
  );
}
