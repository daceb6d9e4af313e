import type { PlanSummary } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { formatAgo, formatDateTime, formatDuration } from "../ui/format.ts";
import { lookOf, PlanStatusBadge } from "../ui/status-badge.tsx";
import { ROW_HEIGHT } from "./rows-in-view.ts";
import { PLAN_ROW } from "./plans-words.ts";
import styles from "./plans.module.css";

type Props = {
  readonly plan: PlanSummary;
  readonly now: number;
  readonly selected: boolean;
  readonly place: { readonly index: number; readonly of: number };
  /** Whether the tab key leads here. */
  readonly isStop: boolean;
};

export function PlanRow({ plan, now, selected, place: { index, of }, isStop }: Props) {
  const { planId, goal, status, answerStatus, submittedAt, endedAt, progress, parent } = plan;
  const open = endedAt === undefined;
  return (
    <li aria-setsize={of} aria-posinset={index + 1} style={{ top: index * ROW_HEIGHT, height: ROW_HEIGHT }}>
      <Link
        className={styles.planRow}
        data-part="plan-row"
        href={`/plans/${encodeURIComponent(planId)}`}
        aria-current={selected ? "page" : undefined}
        data-plan={planId}
        data-sub-plan={parent !== undefined}
        tabIndex={isStop ? 0 : -1}
        title={goal}
      >
        <span className={styles.planRowGoal} data-part="plan-row-goal">
          {goal}
        </span>
        <span className={styles.planRowMeta}>
          <PlanStatusBadge status={status} answer={answerStatus} plain />
          {parent !== undefined && (
            <span className={styles.planRowPart} title={PLAN_ROW.subPlanOf(parent)}>
              {PLAN_ROW.subPlan}
            </span>
          )}
          {open && progress.total > 0 && (
            <span>
              {progress.done}/{progress.total}
            </span>
          )}
          <span className={styles.planRowTime} title={formatDateTime(submittedAt)}>
            {!open && `${formatDuration(Date.parse(endedAt) - Date.parse(submittedAt))} · `}
            {formatAgo(submittedAt, now)}
          </span>
        </span>
        {open && (
          <span className={`${styles.planRowBar} tone-${lookOf(status).tone}`} aria-hidden="true">
            <span style={{ width: `${progress.percent}%` }} />
          </span>
        )}
      </Link>
    </li>
  );
}
