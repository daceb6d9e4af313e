import type { Metrics, Period, PeriodFigures } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { DataTable } from "../values/data-table.tsx";
import { plansHref, PlotEnds, periodText } from "./bar-plot.tsx";
import { type Point, pointsOf } from "./points-of.ts";
import type { LineChart } from "./charts.ts";
import { CHARTS, PAGE, PERIOD_NAMES } from "./metrics-words.ts";
import styles from "./metrics.module.css";

const WIDTH = 420;
const HEIGHT = 110;
const EDGE = 6;
const DOT = 2.6;

type Props = {
  readonly trend: LineChart;
  readonly metrics: Metrics;
  readonly period: Period;
};

/** Up to three lines over time, and the same as a table. The points of each period lead to its plans. */
export function TrendPlot({ trend, metrics, period }: Props) {
  const { title, lines, text } = trend;
  const { byPeriod = [] } = metrics;
  const values = lines.map((line) => byPeriod.map((figures) => line.of(figures)));
  const highest = Math.max(trend.top ?? 0, ...values.flat().map((value) => value ?? 0));
  const runs = values.map((line) => pointsOf(line, { width: WIDTH, height: HEIGHT, top: highest || 1 }));
  return (
    <figure className={`${styles.plot} card ${styles.trend}`} data-part="trend">
      <figcaption>
        <h2>{title}</h2>
        <span>{CHARTS.max(text(highest))}</span>
        {lines.length > 1 && <Keys names={lines.map(({ name }) => name)} />}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH + 2 * EDGE} ${HEIGHT + 2 * EDGE}`}
        role="group"
        aria-label={CHARTS.lineLabel(title, PERIOD_NAMES[period])}
      >
        <g transform={`translate(${EDGE} ${EDGE})`}>
          <rect className={styles.plotGround} width={WIDTH} height={HEIGHT} />
          {runs.map((line, index) => (
            <g key={lines[index]?.name} data-line={index}>
              {line.map((run) => (
                <Run key={run[0]?.index} run={run} />
              ))}
            </g>
          ))}
          {byPeriod.map((figures, at) => (
            <Points
              key={figures.from}
              {...{ trend, metrics, period, figures }}
              points={runs.map((line) => line.flat().find(({ index }) => index === at))}
              width={WIDTH / Math.max(1, byPeriod.length - 1)}
            />
          ))}
        </g>
      </svg>
      <PlotEnds periods={byPeriod} period={period} />
      <details>
        <summary>{PAGE.table}</summary>
        <DataTable table={tableOf(values, { trend, periods: byPeriod, period })} />
      </details>
    </figure>
  );
}

function Keys({ names }: { names: readonly string[] }) {
  return (
    <span className={styles.trendKeys}>
      {names.map((name, index) => (
        <span key={name} className={styles.trendKey} data-line={index}>
          <svg width="22" height="8" aria-hidden="true">
            <line className={styles.trendLine} x1="0" x2="22" y1="4" y2="4" />
          </svg>
          {name}
        </span>
      ))}
    </span>
  );
}

function Run({ run }: { run: readonly Point[] }) {
  if (run.length < 2) return null;
  return <polyline className={styles.trendLine} points={run.map(({ x, y }) => `${x},${y}`).join(" ")} />;
}

type PointsProps = Props & {
  readonly figures: PeriodFigures;
  /** One for each line; undefined where it has no value. */
  readonly points: readonly (Point | undefined)[];
  /** Of the strip that can be clicked. */
  readonly width: number;
};

/** The values of one period: one link for all lines, as they count the same plans. */
function Points({ trend: { lines, text }, metrics, period, figures, points, width }: PointsProps) {
  const x = points.find((point) => point !== undefined)?.x;
  if (x === undefined) return null;
  const values = lines
    .filter((_, index) => points[index] !== undefined)
    .map((line) => CHARTS.value(line.name, text(line.of(figures))));
  const label = CHARTS.point(periodText(figures.from, period), values.join(", "));
  return (
    <Link className={styles.trendPoints} href={plansHref(figures, metrics)} aria-label={label}>
      <title>{label}</title>
      <rect className={styles.trendStrip} x={x - width / 2} width={width} height={HEIGHT} />
      {points.map(
        (point, index) =>
          point !== undefined && (
            <g key={lines[index]?.name} data-line={index}>
              <circle className={styles.trendDot} cx={point.x} cy={point.y} r={DOT} />
            </g>
          ),
      )}
    </Link>
  );
}

/** The latest first. */
function tableOf(
  values: readonly (readonly (number | null)[])[],
  { trend, periods, period }: Omit<Props, "metrics"> & { readonly periods: readonly PeriodFigures[] },
) {
  const rows = periods.map(({ from }, index) => [
    periodText(from, period),
    ...values.map((line) => trend.text(line[index] ?? null)),
  ]);
  return {
    columns: [PERIOD_NAMES[period], ...trend.lines.map(({ name }) => name)],
    rows: rows.toReversed(),
    truncated: false,
  };
}
