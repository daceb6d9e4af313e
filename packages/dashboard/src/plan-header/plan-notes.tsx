import type { PlanView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { BudgetMeter } from "./budget-meter.tsx";
import { PlanWaits } from "./plan-waits.tsx";
import styles from "./plan-header.module.css";

/** What a person should know of the plan's course: its limits, what it waits for, and why it ended as it did. */
export function PlanNotes({ view, isPast }: { readonly view: PlanView; readonly isPast: boolean }) {
  const nowMs = usePlanNow();
  const elapsedMs = Math.max(0, nowMs - Date.parse(view.submittedAt));
  const reason = view.status === "succeeded" ? undefined : view.reason;
  return (
    <div className={styles.planNotes}>
      <BudgetMeter view={view} elapsedMs={elapsedMs} />
      {/* The answer card shows why the answer waits. */}
      {(isPast || view.status !== "reflecting") && <PlanWaits view={view} nowMs={nowMs} />}
      {reason !== undefined && (
        <p className={styles.planReason} data-part="plan-reason">
          {reason}
        </p>
      )}
    </div>
  );
}
