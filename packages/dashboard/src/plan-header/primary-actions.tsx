import type { PlanView } from "../api/api-types.ts";
import { focusFirstApproval } from "../approvals/use-approval-key.ts";
import { RerunButton } from "../rerun/rerun-button.tsx";
import { useMay } from "../sign-in/caller.ts";
import { Icon } from "../ui/icons.tsx";
import { HEADER_WORDS } from "./header-words.ts";
import { PauseButton } from "./pause-button.tsx";

type Props = { readonly view: PlanView; readonly onChanged: () => void };

/** What a person most likely wants to do with a plan in its state. */
export function PrimaryActions({ view, onChanged }: Props) {
  const may = useMay();
  if (view.ended) return may("rerunPlan") && <RerunButton key={view.planId} planId={view.planId} />;
  const isAsking = view.approvals.some(({ status }) => status === "pending");
  return (
    <>
      {isAsking && (
        <button type="button" className="button button-primary" onClick={focusFirstApproval}>
          <Icon name="approval" size={14} />
          {HEADER_WORDS.review}
        </button>
      )}
      {may("pausePlan") && <PauseButton view={view} onDone={onChanged} />}
    </>
  );
}
