import type { PlanView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { type BudgetRow, budgetRows } from "./budget-rows.ts";
import { BUDGET_METER } from "./header-words.ts";
import styles from "./budget.module.css";

type Props = {
  readonly view: PlanView;
  /** Time since submission, as of now: it grows even while nothing else changes. */
  readonly elapsedMs: number;
};

/** The usage of each of the plan's limits: spent, reserved and the expected total. */
export function BudgetMeter({ view: { budget, ended }, elapsedMs }: Props) {
  if (budget === undefined) return null;
  return (
    <div className={styles.budget} data-testid="budget">
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
    <div className={styles.budgetRow} data-part="budget-row" data-state={state}>
      <span className={styles.budgetLabel}>{label}</span>
      <div
        className={styles.budgetBar}
        role="meter"
        aria-label={BUDGET_METER.used(label)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(used * 100)}
        aria-valuetext={words}
      >
        <span className={styles.budgetUsed} style={{ width: `${used * 100}%` }} />
        <span className={styles.budgetReserved} style={{ width: `${reserved * 100}%` }} />
        {forecast !== undefined && (
          <span className={styles.budgetForecast} style={{ left: `${Math.min(1, forecast) * 100}%` }} />
        )}
      </div>
      <span className={styles.budgetWords} data-part="budget-words">
        {words}
      </span>
      {warning !== undefined && (
        <span
          className={`${styles.budgetWarning} tone-${state === "exhausted" ? "bad" : "warn"}`}
          data-part="budget-warning"
        >
          <Icon name="alert" size={13} />
          {warning}
        </span>
      )}
    </div>
  );
}
