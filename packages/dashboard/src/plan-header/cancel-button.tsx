import { useServices } from "../shell/services.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

type Props = {
  readonly planId: string;
  /** It asks as soon as it is shown. */
  readonly asks: boolean;
  readonly onCancelled: () => void;
};

/** Cancels the plan, after a second click: what runs is stopped and cannot be taken up again. */
export function CancelButton({ planId, asks, onCancelled }: Props) {
  const { gateway } = useServices();
  return (
    <ConfirmButton
      label="Cancel plan"
      asks={asks}
      busyLabel="Cancelling…"
      question="Cancel this plan?"
      yes="Yes, cancel"
      no="Keep running"
      act={(signal) => gateway.cancel(planId, signal)}
      onDone={onCancelled}
    />
  );
}
