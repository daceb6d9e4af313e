import "./budget.css";
import type { PlanView } from "../api/api-types.ts";
import { Icon } from "../ui/icons.tsx";
import { type BudgetRow, budgetRows, usageWords } from "./budget-rows.ts";

const ENDS: Readonly<Record<NonNullable<PlanView["budget"]>["onExhausted"], string>> = {
  end: "the plan ends with what it has",
  ask: "a person is asked for more",
};

/** What the plan has used of each limit, what is set aside, and where it is expected to end; without limits, its use. */
export function BudgetMeter({ view: { budget, usage, endedAt } }: { view: PlanView }) {
  if (budget === undefined) {
    const words = usageWords(usage);
    return words === undefined ? null : <p className="budget-words">Used {words}. No limit is set.</p>;
  }
  return (
    <div className="budget" data-testid="budget">
      {budgetRows(budget, endedAt !== undefined).map((row) => (
        <Meter key={row.name} row={row} onExhausted={ENDS[budget.onExhausted]} />
      ))}
    </div>
  );
}

function Meter({ row, onExhausted }: { row: BudgetRow; onExhausted: string }) {
  const { label, used, reserved, forecast, state, words } = row;
  return (
    <div className="budget-row" data-state={state}>
      <span className="budget-label">{label}</span>
      <div
        className="budget-bar"
        role="meter"
        aria-label={`${label} used`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(used * 100)}
        aria-valuetext={words}
      >
        <span className="budget-used" style={{ width: `${used * 100}%` }} />
        <span className="budget-reserved" style={{ width: `${reserved * 100}%` }} />
        {forecast !== undefined && (
          <span className="budget-forecast" style={{ left: `${Math.min(1, forecast) * 100}%` }} />
        )}
      </div>
      <span className="budget-words">{words}</span>
      {state !== "within" && (
        <span className={`budget-warning tone-${state === "exhausted" ? "bad" : "warn"}`}>
          <Icon name="alert" size={13} />
          {state === "exhausted"
            ? "The limit is reached"
            : `More than the limit is expected: then ${onExhausted}`}
        </span>
      )}
    </div>
  );
}
