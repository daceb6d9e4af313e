import type { Period, PeriodFigures } from "../api/api-types.ts";
import { DataTable } from "../values/data-table.tsx";
import { periodText } from "./period-text.ts";
import { type Point, pointsOf } from "./points-of.ts";
import { PlotEnds } from "./plot-ends.tsx";
import type { LineChart } from "./charts.ts";
import { CHARTS, PAGE, PERIOD_NAMES } from "./metrics-words.ts";
import styles from "./metrics.module.css";

const WIDTH = 420;
const HEIGHT = 110;
const EDGE = 6;
const DOT = 2.6;

type Props = {
  readonly trend: LineChart;
  readonly periods: readonly PeriodFigures[];
  readonly period: Period;
};

/** Up to three lines over time, and the same as a table. */
export function TrendPlot({ trend, periods, period }: Props) {
  const { title, lines, text } = trend;
  const values = lines.map((line) => periods.map((figures) => line.of(figures)));
  const highest = Math.max(trend.top ?? 0, ...values.flat().map((value) => value ?? 0));
  return (
    <figure className={`${styles.plot} card ${styles.trend}`} data-part="trend">
      <figcaption>
        <h2>{title}</h2>
        <span>{CHARTS.max(text(highest))}</span>
        {lines.length > 1 && <Keys names={lines.map(({ name }) => name)} />}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH + 2 * EDGE} ${HEIGHT + 2 * EDGE}`}
        role="img"
        aria-label={CHARTS.lineLabel(title, PERIOD_NAMES[period])}
      >
        <g transform={`translate(${EDGE} ${EDGE})`}>
          <rect className={styles.plotGround} width={WIDTH} height={HEIGHT} />
          {values.map((line, index) => (
            <g key={lines[index]?.name} data-line={index}>
              {pointsOf(line, { width: WIDTH, height: HEIGHT, top: highest || 1 }).map((run) => (
                <Run key={run[0]?.index} run={run} wordsOf={(at) => wordsOf(at, line[at] ?? null)} />
              ))}
            </g>
          ))}
        </g>
      </svg>
      <PlotEnds periods={periods} period={period} />
      <details>
        <summary>{PAGE.table}</summary>
        <DataTable table={tableOf(values, { trend, periods, period })} />
      </details>
    </figure>
  );

  function wordsOf(at: number, value: number | null): string {
    const from = periods[at]?.from;
    return from === undefined ? text(value) : `${periodText(from, period)}: ${text(value)}`;
  }
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

function Run({ run, wordsOf }: { run: readonly Point[]; wordsOf: (index: number) => string }) {
  return (
    <>
      {run.length > 1 && (
        <polyline className={styles.trendLine} points={run.map(({ x, y }) => `${x},${y}`).join(" ")} />
      )}
      {run.map(({ index, x, y }) => (
        <circle key={index} className={styles.trendDot} cx={x} cy={y} r={DOT}>
          <title>{wordsOf(index)}</title>
        </circle>
      ))}
    </>
  );
}

/** The latest first. */
function tableOf(values: readonly (readonly (number | null)[])[], { trend, periods, period }: Props) {
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
