import type { MouseEvent } from "react";
import type { PlanSummary } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { type Column, GOAL } from "./columns.tsx";
import { ROW_PX } from "./use-grid-keys.ts";
import { PLAN_LINE } from "./plans-table-words.ts";
import styles from "./plans-table.module.css";
import plansStyles from "../plans/plans.module.css";

type Props = {
  readonly plan: PlanSummary;
  readonly index: number;
  readonly columns: readonly Column[];
  readonly now: number;
  readonly isSelected: boolean;
  /** Whether the tab key leads here. */
  readonly isStop: boolean;
  /** @param isRange - From the row that was selected last to this one. */
  readonly onSelect: (planId: string, isRange: boolean) => void;
};

/** One row of the table. */
export function PlanLine({ plan, index, columns, now, isSelected, isStop, onSelect }: Props) {
  const { planId, parent } = plan;
  const selectByClick = (event: MouseEvent) => {
    if (event.target instanceof HTMLInputElement) return;
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) return;
    // A link would open another window.
    event.preventDefault();
    onSelect(planId, event.shiftKey);
  };
  return (
    <div
      role="row"
      className={styles.plansLine}
      data-plan={planId}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isStop ? 0 : -1}
      style={{ top: index * ROW_PX }}
      onClickCapture={selectByClick}
    >
      <div role="gridcell" className={styles.plansCheck}>
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={PLAN_LINE.select(plan.goal)}
          checked={isSelected}
          onClick={(event) => onSelect(planId, event.shiftKey)}
          onChange={() => undefined}
        />
      </div>
      <div role="gridcell" className={styles.plansGoal} data-part="plans-goal" title={GOAL.title?.(plan)}>
        <Link href={`/plans/${encodeURIComponent(planId)}`} tabIndex={-1}>
          {GOAL.cell(plan, now)}
        </Link>
        {parent !== undefined && (
          <span className={plansStyles.planRowPart} title={PLAN_LINE.subPlanOf(parent)}>
            {PLAN_LINE.subPlan}
          </span>
        )}
      </div>
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={column.isNumber === true ? "number" : undefined}
          title={column.title?.(plan)}
        >
          {column.cell(plan, now)}
        </div>
      ))}
    </div>
  );
}
