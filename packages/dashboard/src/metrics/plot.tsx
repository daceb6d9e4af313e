import type { ReactNode } from "react";
import type { Figures, Metrics, Period, PeriodFigures } from "../api/api-types.ts";
import { type ListFilter, textOf } from "../plans/list-filter.ts";
import { DataTable } from "../values/data-table.tsx";
import { CHARTS, PAGE, PERIOD_NAMES } from "./metrics-words.ts";

/** Plots side by side, as many as fit. */
export const PLOTS = "grid grid-cols-[repeat(auto-fit,minmax(min(300px,100%),1fr))] gap-3.5";

type Props<Value> = {
  readonly title: string;
  readonly text: (value: Value) => string;
  readonly series: readonly { readonly name: string; readonly of: (figures: Figures) => Value }[];
  readonly periods: readonly PeriodFigures[];
  readonly period: Period;
  readonly highest: Value;
  /** The legend. */
  readonly keys: ReactNode;
  readonly part?: string;
  /** Maximum width of the drawing, in pixels. */
  readonly widthMax?: number;
  /** The drawing. */
  readonly children: ReactNode;
};

/** Metrics over time, as a drawing and as a table. The drawings in one row end at the same height. */
export function Plot<Value>({
  title,
  text,
  series,
  periods,
  period,
  highest,
  keys,
  part,
  widthMax,
  children,
}: Props<Value>) {
  const rows = periods.map((figures) => [
    periodText(figures.from, period),
    ...series.map((one) => text(one.of(figures))),
  ]);
  const columns = [PERIOD_NAMES[period], ...series.map(({ name }) => name)];
  return (
    <figure className="card flex min-w-0 flex-col px-4.5 py-4" data-part={part}>
      <figcaption className="mb-auto grid grid-cols-[1fr_auto] items-baseline gap-x-4 gap-y-1 pb-2.5 text-sm text-soft">
        <h2 className="text-base text-ink">{title}</h2>
        <span>{CHARTS.max(text(highest))}</span>
        {keys}
      </figcaption>
      <div style={{ maxWidth: widthMax }}>
        {children}
        <PlotEnds periods={periods} period={period} />
      </div>
      <details className="mt-1.5 text-sm">
        <summary>{PAGE.table}</summary>
        {/* Latest first. */}
        <DataTable table={{ columns, rows: rows.toReversed(), truncated: false }} />
      </details>
    </figure>
  );
}

/** The start of the first and the last period. */
function PlotEnds({ periods, period }: { periods: readonly PeriodFigures[]; period: Period }) {
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <p className="flex justify-between gap-2 text-xs text-soft">
      <span>{periodText(first.from, period)}</span>
      <span>{periodText(last.from, period)}</span>
    </p>
  );
}

/** The axis of plan counts. */
type Counted = Pick<ListFilter, "outcome" | "tool" | "failedTool">;

/** A time span; without a start, from the beginning. */
type Span = { readonly from?: string | undefined; readonly to: string };

/** @param of - The strategy, if the metrics are not of all strategies. */
export function plansHref({ from, to }: Span, of: Pick<Metrics, "strategy">, counted: Counted = {}): string {
  const filter: ListFilter = {
    ...counted,
    ...(of.strategy !== undefined && { strategy: of.strategy }),
    ...(from !== undefined && { endedSince: from }),
    endedBefore: to,
    subPlans: "none",
  };
  return `/plans${textOf(filter)}`;
}

const BY_DATE: ReadonlySet<Period> = new Set(["day", "week"]);
/** Formatters are expensive to create. */
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** The start of a period in the reader's format. */
export function periodText(from: string, period: Period): string {
  return (BY_DATE.has(period) ? DATE : DATE_TIME).format(new Date(from));
}
