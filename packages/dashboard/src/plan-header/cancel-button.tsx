import { useServices } from "../shell/services.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { CANCEL_BUTTON } from "./header-words.ts";

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
      label={CANCEL_BUTTON.cancelPlan}
      asks={asks}
      busyLabel={CANCEL_BUTTON.cancelling}
      question={CANCEL_BUTTON.cancelThisPlan}
      yes={CANCEL_BUTTON.yesCancel}
      no={CANCEL_BUTTON.keepRunning}
      act={(signal) => gateway.cancel(planId, signal)}
      onDone={onCancelled}
    />
  );
}
