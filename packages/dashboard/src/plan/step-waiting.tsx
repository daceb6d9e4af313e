import { whyWaiting } from "@planwright/plan/why-waiting";
import type { PlanView, StepView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { Icon } from "../ui/icons.tsx";
import styles from "./step.module.css";

/** Why nothing happens with the step yet, in words. */
export function StepWaiting({ view, step }: { readonly view: PlanView; readonly step: StepView }) {
  const words = whyWaiting(view, step, usePlanNow());
  if (words === undefined) return null;
  return (
    <p className={styles.stepWaiting} data-testid="why-waiting">
      <Icon name="clock" size={14} />
      <span className={styles.sentence}>{words}</span>
    </p>
  );
}
