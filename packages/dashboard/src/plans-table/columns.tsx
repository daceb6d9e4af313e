/** The columns of the table of plans: their content, their width, and which are hidden first on a narrow screen. */
import type { ReactNode } from "react";
import { formatUsd } from "@planwright/plan/amounts";
import type { PlanSummary } from "../api/api-types.ts";
import { Elapsed } from "../clock/ticking.tsx";
import type { Sort } from "../plans/list-order.ts";
import { strategyLabel } from "../plans/planned-by-select.tsx";
import { formatAgo, formatDateTime, formatDuration } from "../ui/format.ts";
import { lookOfPlan, PlanStatusBadge } from "../ui/status-badge.tsx";
import { COLUMN_TITLES } from "./plans-table-words.ts";

export type Column = {
  readonly id: Sort;
  readonly label: string;
  /** For the goal, the minimum: it takes the space that other columns leave. */
  readonly widthPx: number;
  /** In a wide table: the width of its longest text. */
  readonly widePx?: number;
  readonly isNumber?: boolean;
  readonly cell: (plan: PlanSummary, nowMs: number) => ReactNode;
  /** The tooltip. */
  readonly title?: (plan: PlanSummary) => string | undefined;
};

const NONE = "–";

/** The goal is always shown. */
export const GOAL: Column = {
  id: "goal",
  label: COLUMN_TITLES.goal,
  widthPx: 150,
  cell: ({ goal }) => goal,
  title: ({ goal }) => goal,
};

/** In display order. */
export const COLUMNS: readonly Column[] = [
  {
    id: "status",
    label: COLUMN_TITLES.status,
    widthPx: 176,
    widePx: 226,
    cell: ({ status, answerStatus }) => <PlanStatusBadge status={status} answer={answerStatus} plain />,
    title: ({ status, answerStatus }) => lookOfPlan(status, answerStatus).label,
  },
  {
    id: "strategy",
    label: COLUMN_TITLES.strategy,
    widthPx: 120,
    cell: ({ strategy }) => (strategy === undefined ? NONE : strategyLabel(strategy)),
  },
  {
    id: "duration",
    label: COLUMN_TITLES.duration,
    widthPx: 100,
    isNumber: true,
    cell: ({ durationMs, ended, status, submittedAt }) => {
      if (durationMs !== undefined) return formatDuration(durationMs);
      return ended || status === "scheduled" ? NONE : <Elapsed since={submittedAt} />;
    },
    title: ({ endedAt }) =>
      endedAt === undefined ? undefined : COLUMN_TITLES.finished(formatDateTime(endedAt)),
  },
  {
    id: "steps",
    label: COLUMN_TITLES.steps,
    widthPx: 72,
    isNumber: true,
    cell: ({ progress: { done, total } }) => `${done}/${total}`,
    title: ({ progress: { percent } }) => `${percent}% done`,
  },
  {
    id: "cost",
    label: COLUMN_TITLES.cost,
    widthPx: 80,
    isNumber: true,
    cell: ({ costUsd }) => (costUsd === undefined ? NONE : formatUsd(costUsd)),
  },
  {
    id: "tokens",
    label: COLUMN_TITLES.tokens,
    widthPx: 88,
    isNumber: true,
    cell: ({ tokens }) => (tokens === undefined ? NONE : tokens.toLocaleString("en")),
  },
  {
    id: "submittedBy",
    label: COLUMN_TITLES.submittedBy,
    widthPx: 130,
    cell: ({ submittedBy }) => submittedBy ?? NONE,
    title: ({ submittedBy }) => submittedBy,
  },
  {
    id: "started",
    label: COLUMN_TITLES.submitted,
    widthPx: 100,
    isNumber: true,
    cell: ({ submittedAt }, nowMs) => formatAgo(submittedAt, nowMs),
    title: ({ submittedAt }) => formatDateTime(submittedAt),
  },
];

/** The first ones are kept longest in a narrow window. */
const KEPT_LONGEST: readonly Sort[] = [
  "status",
  "started",
  "duration",
  "steps",
  "cost",
  "strategy",
  "tokens",
  "submittedBy",
];

/** The goal's space before any other column: a share of the table, up to a width that distinguishes most goals. */
const GOAL_SHARE = 0.35;
const GOAL_WIDE_PX = 260;

/** The chosen columns that fit beside the goal, in display order. */
export function columnsIn(widthPx: number, chosen: ReadonlySet<string>): readonly Column[] {
  let left = widthPx - Math.max(GOAL.widthPx, Math.min(GOAL_WIDE_PX, widthPx * GOAL_SHARE));
  const fitting = new Set<string>();
  for (const id of KEPT_LONGEST) {
    const column = COLUMNS.find((one) => one.id === id);
    if (column === undefined || !chosen.has(id)) continue;
    left -= column.widthPx;
    // A narrower column must not replace a more important one.
    if (left < 0) break;
    fitting.add(id);
  }
  return COLUMNS.filter(({ id }) => fitting.has(id));
}
