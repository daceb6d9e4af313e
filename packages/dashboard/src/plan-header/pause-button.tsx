import type { PlanView } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { useKeys } from "../keys/use-keys.ts";
import { useServices } from "../shell/services.ts";
import { Icon } from "../ui/icons.tsx";
import { PAUSE_BUTTON } from "./header-words.ts";
import styles from "./plan-header.module.css";

/** Holds the plan, or lets it go on: what runs may end, nothing new begins in between. */
export function PauseButton({ view, onDone }: { view: PlanView; onDone: () => void }) {
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
