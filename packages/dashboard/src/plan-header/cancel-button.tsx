import { useServices } from "../shell/services.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

/** Cancels the plan, after a second click: what runs is stopped and cannot be taken up again. */
export function CancelButton({ planId, onCancelled }: { planId: string; onCancelled: () => void }) {
  const { gateway } = useServices();
  return (
    <ConfirmButton
      label="Cancel plan"
      busyLabel="Cancelling…"
      question="Cancel this plan?"
      yes="Yes, cancel"
      no="Keep running"
      act={(signal) => gateway.cancel(planId, signal)}
      onDone={onCancelled}
    />
  );
}
