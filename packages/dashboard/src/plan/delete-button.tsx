import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { ConfirmButton } from "./confirm-button.tsx";

/** Deletes an ended plan, after a second click, and shows the list. */
export function DeleteButton({ planId }: { planId: string }) {
  const { gateway } = useServices();
  return (
    <ConfirmButton
      label="Delete"
      action="Delete plan"
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
