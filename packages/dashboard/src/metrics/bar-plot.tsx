import type { Metrics, Period, PeriodFigures } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { DataTable } from "../values/data-table.tsx";
import type { BarChart } from "./charts.ts";
import { CHARTS, PAGE, PERIOD_NAMES } from "./metrics-words.ts";
import styles from "./metrics.module.css";
import { type ListFilter, textOf } from "../plans/list-filter.ts";

const BAR = 22;
const GAP = 6;
/** So that a single failed plan among thousands can be seen, and clicked. */
const PART_MIN = 3;
/** A few bars are no wider than this, in pixels. */
const BAR_MAX = 64;

type Props = {
  readonly chart: BarChart;
  readonly metrics: Metrics;
  readonly period: Period;
  readonly height: number;
};

/** A bar for each period, the latest to the right. Each leads to the plans of its period, and each of its parts to theirs. */
export function BarPlot({ chart, metrics, period, height }: Props) {
  const { byPeriod = [] } = metrics;
  const sums = byPeriod.map((figures) => sumOf(chart, figures));
  const highest = Math.max(...sums, 0);
  const width = byPeriod.length * (BAR + GAP);
  const max = chart.text(highest);
  return (
    <figure className={`${styles.plot} card`}>
      <figcaption>
        <h2>{chart.title}</h2>
        <span>{CHARTS.max(max)}</span>
        {chart.parts.length > 1 && <Keys chart={chart} metrics={metrics} />}
      </figcaption>
      <div style={{ maxWidth: `${byPeriod.length * BAR_MAX}px` }}>
        <svg
          className={styles.barPlot}
          viewBox={`0 0 ${width} ${height}`}
          height={height}
          preserveAspectRatio="none"
          role="group"
          aria-label={CHARTS.label(chart.title, PERIOD_NAMES[period], max)}
        >
          {byPeriod.map((figures, index) => (
            <Bar
              key={figures.from}
              {...{ chart, metrics, period, figures, height }}
              x={index * (BAR + GAP)}
              highest={highest || 1}
            />
          ))}
        </svg>
        <PlotEnds periods={byPeriod} period={period} />
      </div>
      <details>
        <summary>{PAGE.table}</summary>
        <DataTable table={tableOf(chart, byPeriod, period)} />
      </details>
    </figure>
  );
}

/** What the colours mean, with the sum of each part; outcomes lead to their plans. */
function Keys({ chart, metrics }: Pick<Props, "chart" | "metrics">) {
  return (
    <ul className={styles.plotKeys} aria-label={CHARTS.totals}>
      {chart.parts.map(({ name, tone, of: value, outcome }) => {
        const text = CHARTS.value(name, chart.text(value(metrics.all)));
        return (
          <li key={name} className={`${styles.plotKey} tone-${tone}`}>
            {outcome === undefined ? (
              text
            ) : (
              <Link href={plansHref(metrics, metrics, { outcome })}>{text}</Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

type BarProps = Props & {
  readonly figures: PeriodFigures;
  readonly x: number;
  readonly highest: number;
};

function Bar({ chart, metrics, period, figures, height, x, highest }: BarProps) {
  let below = 0;
  const at = periodText(figures.from, period);
  const ground = <rect x={x} y={0} width={BAR} height={height} className={styles.plotGround} />;
  if (figures.plans === 0) return ground;
  const parts = chart.parts.filter((part) => part.of(figures) > 0);
  const labelOf = (some: BarChart["parts"]): string =>
    CHARTS.bar(at, some.map((part) => CHARTS.value(part.name, chart.text(part.of(figures)))).join(", "));
  const whole = labelOf(parts.length === 0 ? chart.parts : parts);
  return (
    <g className={styles.plotBar}>
      <Link href={plansHref(figures, metrics)} aria-label={whole}>
        <title>{whole}</title>
        {ground}
      </Link>
      {parts.map((part) => {
        const share = Math.max(PART_MIN, (part.of(figures) / highest) * (height - parts.length * PART_MIN));
        below += share;
        const label = labelOf([part]);
        const { outcome } = part;
        return (
          // The keyboard reaches the whole bar; the parts are for the pointer.
          <Link
            key={part.name}
            href={plansHref(figures, metrics, outcome === undefined ? {} : { outcome })}
            aria-label={label}
            tabIndex={-1}
          >
            <title>{label}</title>
            <rect
              x={x}
              y={height - below}
              width={BAR}
              height={share}
              className={`${styles.plotPart} tone-${part.tone}`}
            />
          </Link>
        );
      })}
    </g>
  );
}

function sumOf({ parts }: BarChart, figures: PeriodFigures): number {
  return parts.reduce((sum, part) => sum + part.of(figures), 0);
}

/** The latest first. */
function tableOf({ parts, text }: BarChart, periods: readonly PeriodFigures[], period: Period) {
  const rows = periods.map((figures) => [
    periodText(figures.from, period),
    ...parts.map((part) => text(part.of(figures))),
  ]);
  return {
    columns: [PERIOD_NAMES[period], ...parts.map(({ name }) => name)],
    rows: rows.toReversed(),
    truncated: false,
  };
}

/** Below a plot: when its first and its last period begin. */
export function PlotEnds({ periods, period }: { periods: readonly PeriodFigures[]; period: Period }) {
  const [first, last] = [periods[0], periods.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <p className={styles.plotEnds}>
      <span>{periodText(first.from, period)}</span>
      <span>{periodText(last.from, period)}</span>
    </p>
  );
}

/** What plans are counted in. */
type Counted = Pick<ListFilter, "outcome" | "tool" | "failedTool">;

/** A part of time; without a start, from the beginning. */
export type Span = { readonly from?: string | undefined; readonly to: string };

/** @param of - Whose strategy is looked at, if not all. */
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
/** Each is dear to make. */
const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const DATE_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** When a period begins, as the reader writes it. */
export function periodText(from: string, period: Period): string {
  return (BY_DATE.has(period) ? DATE : DATE_TIME).format(new Date(from));
}
