import type { PlanView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { Icon } from "../ui/icons.tsx";
import { type BudgetRow, budgetRows } from "./budget-rows.ts";
import { BUDGET_METER } from "./header-words.ts";
import { PlanWaits } from "./plan-waits.tsx";
import budgetStyles from "./budget.module.css";
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

type Props = {
  readonly view: PlanView;
  /** Time since submission, as of now: it grows even while nothing else changes. */
  readonly elapsedMs: number;
};

/** The usage of each of the plan's limits: spent, reserved and the expected total. */
function BudgetMeter({ view: { budget, ended }, elapsedMs }: Props) {
  if (budget === undefined) return null;
  return (
    <div className={budgetStyles.budget} data-testid="budget">
      {budgetRows(atTime(budget, elapsedMs), ended).map((row) => (
        <Meter key={row.name} row={row} />
      ))}
    </div>
  );
}

function atTime(budget: NonNullable<PlanView["budget"]>, elapsedMs: number): typeof budget {
  if (budget.limit.seconds === undefined) return budget;
  return { ...budget, used: { ...budget.used, seconds: Math.round(elapsedMs / 1_000) } };
}

function Meter({ row }: { row: BudgetRow }) {
  const { label, used, reserved, forecast, state, words, warning } = row;
  return (
    <div className={budgetStyles.budgetRow} data-part="budget-row" data-state={state}>
      <span className={budgetStyles.budgetLabel}>{label}</span>
      <div
        className={budgetStyles.budgetBar}
        role="meter"
        aria-label={BUDGET_METER.used(label)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(used * 100)}
        aria-valuetext={words}
      >
        <span className={budgetStyles.budgetUsed} style={{ width: `${used * 100}%` }} />
        <span className={budgetStyles.budgetReserved} style={{ width: `${reserved * 100}%` }} />
        {forecast !== undefined && (
          <span className={budgetStyles.budgetForecast} style={{ left: `${Math.min(1, forecast) * 100}%` }} />
        )}
      </div>
      <span className={budgetStyles.budgetWords} data-part="budget-words">
        {words}
      </span>
      {warning !== undefined && (
        <span
          className={`${budgetStyles.budgetWarning} tone-${state === "exhausted" ? "bad" : "warn"}`}
          data-part="budget-warning"
        >
          <Icon name="alert" size={13} />
          {warning}
        </span>
      )}
    </div>
  );
}
