import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { DELETE_BUTTON } from "./header-words.ts";

/** Deletes an ended plan, after a second click, and shows the list. @param asks - It asks as soon as it is shown. */
export function DeleteButton({ planId, asks }: { planId: string; asks: boolean }) {
  const { gateway } = useServices();
  return (
    <ConfirmButton
      label={DELETE_BUTTON.delete}
      action={DELETE_BUTTON.deletePlan}
      asks={asks}
      busyLabel={DELETE_BUTTON.deleting}
      question={DELETE_BUTTON.question}
      yes={DELETE_BUTTON.yesDeletePermanently}
      no={DELETE_BUTTON.keepIt}
      act={async (signal) => {
        await gateway.deletePlan(planId, signal);
        navigate("/");
      }}
    />
  );
}
