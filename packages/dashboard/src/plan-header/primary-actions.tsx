import type { PlanView } from "../api/api-types.ts";
import { focusFirstApproval } from "../approvals/use-approval-key.ts";
import { RerunButton } from "../rerun/rerun-button.tsx";
import { useMay } from "../sign-in/caller.ts";
import { Icon } from "../ui/icons.tsx";
import { HEADER_WORDS, PAUSE_BUTTON } from "./header-words.ts";
import { useAction } from "../api/use-action.ts";
import { useKeys } from "../keys/use-keys.ts";
import { useServices } from "../shell/services.ts";
import styles from "./plan-header.module.css";

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

/** Pauses or resumes the plan. While it is paused, running steps may finish and no new step starts. */
function PauseButton({ view, onDone }: { view: PlanView; onDone: () => void }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(onDone);
  const isPaused = view.pause !== undefined;
  const act = isPaused ? gateway.resume : gateway.pause;
  const toggle = () => void run((signal) => act(view.planId, signal));
  useKeys([{ keys: "p", label: isPaused ? PAUSE_BUTTON.resumePlan : PAUSE_BUTTON.pausePlan, run: toggle }]);
  return (
    <span className={styles.planControl}>
      {error !== undefined && <span role="alert">{error.message}</span>}
      <button type="button" className="button" disabled={busy} onClick={toggle}>
        <Icon name={isPaused ? "running" : "paused"} size={14} />
        {isPaused ? PAUSE_BUTTON.resumePlan : PAUSE_BUTTON.pausePlan}
      </button>
    </span>
  );
}
