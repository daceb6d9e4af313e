import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

/** Deletes an ended plan, after a second click, and shows the list. @param asks - It asks as soon as it is shown. */
export function DeleteButton({ planId, asks }: { planId: string; asks: boolean }) {
  const { gateway } = useServices();
  return (
    <ConfirmButton
      label="Delete"
      action="Delete plan"
      asks={asks}
      busyLabel="Deleting…"
      question="Permanently delete this plan, its files and its sub-plans?"
      yes="Yes, delete permanently"
      no="Keep it"
      act={async (signal) => {
        await gateway.deletePlan(planId, signal);
        navigate("/");
      }}
    />
  );
}
