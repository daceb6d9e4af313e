import type { Metrics, Period, PeriodFigures } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { Plot, periodText, plansHref } from "./plot.tsx";
import { type Point, pointsOf } from "./points-of.ts";
import type { LineChart } from "./charts.ts";
import { CHARTS, PERIOD_NAMES } from "./metrics-words.ts";

const WIDTH = 420;
const HEIGHT = 110;
const EDGE = 6;
const DOT = 2.6;
/** Distinguishes the lines. */
const LINE =
  "text-accent data-[line=1]:text-warn data-[line=1]:[stroke-dasharray:5_4] data-[line=2]:text-bad data-[line=2]:[stroke-dasharray:2_3]";
const STROKE = "fill-none stroke-current stroke-[1.8px]";

type Props = {
  readonly trend: LineChart;
  readonly metrics: Metrics;
  readonly period: Period;
};

/** Up to three lines over time, and the same as a table. The points of each period link to its plans. */
export function TrendPlot({ trend, metrics, period }: Props) {
  const { title, lines, text } = trend;
  const { byPeriod = [] } = metrics;
  const values = lines.map((line) => byPeriod.map((figures) => line.of(figures)));
  const highest = Math.max(trend.top ?? 0, ...values.flat().map((value) => value ?? 0));
  const runs = values.map((line) => pointsOf(line, { width: WIDTH, height: HEIGHT, top: highest || 1 }));
  const keys = lines.length > 1 && <Keys names={lines.map(({ name }) => name)} />;
  return (
    <Plot {...{ title, text, highest, period, keys }} part="trend" series={lines} periods={byPeriod}>
      <svg
        className="block h-auto w-full"
        viewBox={`0 0 ${WIDTH + 2 * EDGE} ${HEIGHT + 2 * EDGE}`}
        role="group"
        aria-label={CHARTS.lineLabel(title, PERIOD_NAMES[period])}
      >
        <g transform={`translate(${EDGE} ${EDGE})`}>
          <rect className="fill-sunken" width={WIDTH} height={HEIGHT} />
          {runs.map((line, index) => (
            <g key={lines[index]?.name} className={LINE} data-line={index}>
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
    </Plot>
  );
}

function Keys({ names }: { names: readonly string[] }) {
  return (
    <span className="col-span-full flex flex-wrap gap-x-3.5">
      {names.map((name, index) => (
        <span key={name} className="inline-flex items-center gap-1.5">
          <svg className={LINE} data-line={index} width="22" height="8" aria-hidden="true">
            <line className={STROKE} x1="0" x2="22" y1="4" y2="4" />
          </svg>
          {name}
        </span>
      ))}
    </span>
  );
}

function Run({ run }: { run: readonly Point[] }) {
  if (run.length < 2) return null;
  const points = run.map(({ x, y }) => `${x},${y}`).join(" ");
  return <polyline className={STROKE} vectorEffect="non-scaling-stroke" points={points} />;
}

type PointsProps = Props & {
  readonly figures: PeriodFigures;
  /** One per line; undefined where it has no value. */
  readonly points: readonly (Point | undefined)[];
  /** The clickable strip. */
  readonly width: number;
};

/** The values of one period: one link for all lines, because they count the same plans. */
function Points({ trend: { lines, text }, metrics, period, figures, points, width }: PointsProps) {
  const x = points.find((point) => point !== undefined)?.x;
  if (x === undefined) return null;
  const values = lines
    .filter((_, index) => points[index] !== undefined)
    .map((line) => CHARTS.value(line.name, text(line.of(figures))));
  const label = CHARTS.point(periodText(figures.from, period), values.join(", "));
  return (
    <Link className="group" href={plansHref(figures, metrics)} aria-label={label}>
      <title>{label}</title>
      {/* Catches the pointer between the lines. */}
      <rect
        className="fill-transparent group-hover:fill-accent/14 group-focus-visible:fill-accent/14"
        x={x - width / 2}
        width={width}
        height={HEIGHT}
      />
      {points.map(
        (point, index) =>
          point !== undefined && (
            <g key={lines[index]?.name} className={LINE} data-line={index}>
              <circle className="fill-current" cx={point.x} cy={point.y} r={DOT} />
            </g>
          ),
      )}
    </Link>
  );
}
