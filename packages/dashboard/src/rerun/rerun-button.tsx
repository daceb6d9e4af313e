import { useRef } from "react";
import { useAction } from "../api/use-action.ts";
import { useKeys } from "../keys/use-keys.ts";
import { navigate } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { randomKey } from "../submit/random-key.ts";
import { Icon } from "../ui/icons.tsx";
import { RERUN_BUTTON } from "./rerun-words.ts";
import styles from "../plan-header/plan-header.module.css";

/** Runs an ended plan again, as it was submitted. */
export function RerunButton({ planId }: { planId: string }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(() => undefined);
  // A second click after a failure must not start a second plan.
  const key = useRef<string>(undefined);
  const rerun = () =>
    run(async (signal) => {
      key.current ??= randomKey();
      const accepted = await gateway.rerun(planId, {}, key.current, signal);
      navigate(`/plans/${accepted.planId}`);
    });
  useKeys([{ label: RERUN_BUTTON.runAgain, run: () => void rerun() }]);
  return (
    <span className={styles.planControl}>
      {error !== undefined && <span role="alert">{error.message}</span>}
      <button type="button" className="button button-primary" disabled={busy} onClick={() => void rerun()}>
        {busy && <Icon name="running" spin size={14} />}
        {RERUN_BUTTON.runAgain}
      </button>
    </span>
  );
}
