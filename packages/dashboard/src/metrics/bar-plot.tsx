import type { Metrics, Period, PeriodFigures } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import type { BarChart } from "./charts.ts";
import { CHARTS, PERIOD_NAMES } from "./metrics-words.ts";
import { Plot, periodText, plansHref } from "./plot.tsx";

const BAR = 22;
const GAP = 6;
/** Minimum height, so that a single failed plan among thousands can be seen and clicked. */
const PART_MIN = 3;
/** Maximum width of a bar when there are only a few, in pixels. */
const BAR_MAX = 64;

type Props = {
  readonly chart: BarChart;
  readonly metrics: Metrics;
  readonly period: Period;
  readonly height: number;
};

/** A bar for each period, the latest on the right. Each bar links to the plans of its period, and each part to its own plans. */
export function BarPlot({ chart, metrics, period, height }: Props) {
  const { title, text, parts } = chart;
  const { byPeriod = [] } = metrics;
  const sums = byPeriod.map((figures) => sumOf(chart, figures));
  const highest = Math.max(...sums, 0);
  const width = byPeriod.length * (BAR + GAP);
  const keys = parts.length > 1 && <Keys chart={chart} metrics={metrics} />;
  return (
    // A few bars are aligned left, where time begins.
    <Plot
      {...{ title, text, highest, period, keys }}
      series={parts}
      periods={byPeriod}
      widthMax={byPeriod.length * BAR_MAX}
    >
      <svg
        className="block w-full"
        viewBox={`0 0 ${width} ${height}`}
        height={height}
        preserveAspectRatio="none"
        role="group"
        aria-label={CHARTS.label(title, PERIOD_NAMES[period], text(highest))}
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
    </Plot>
  );
}

/** The legend, with the sum of each part; outcomes link to their plans. */
function Keys({ chart, metrics }: Pick<Props, "chart" | "metrics">) {
  return (
    <ul className="col-span-full flex flex-wrap gap-x-4 gap-y-0.5" aria-label={CHARTS.totals}>
      {chart.parts.map(({ name, tone, of: value, outcome }) => {
        const text = CHARTS.value(name, chart.text(value(metrics.all)));
        return (
          <li
            key={name}
            className={`before:mr-1.5 before:inline-block before:size-2.5 before:rounded-sm before:bg-tone tone-${tone}`}
          >
            {outcome === undefined ? (
              text
            ) : (
              <Link
                className="inline-block leading-6 text-inherit"
                href={plansHref(metrics, metrics, { outcome })}
              >
                {text}
              </Link>
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
  const ground = (
    <rect
      x={x}
      y={0}
      width={BAR}
      height={height}
      className="fill-sunken group-hover:fill-accent-soft group-focus-visible:fill-accent-soft"
    />
  );
  if (figures.plans === 0) return ground;
  const parts = chart.parts.filter((part) => part.of(figures) > 0);
  const labelOf = (some: BarChart["parts"]): string =>
    CHARTS.bar(at, some.map((part) => CHARTS.value(part.name, chart.text(part.of(figures)))).join(", "));
  const whole = labelOf(parts.length === 0 ? chart.parts : parts);
  return (
    <g>
      <Link className="group peer" href={plansHref(figures, metrics)} aria-label={whole}>
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
            className="peer-focus-visible:opacity-75 hover:opacity-75"
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
              className={`fill-tone tone-${part.tone}`}
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
