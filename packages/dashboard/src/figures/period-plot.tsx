import type { Period, PeriodFigures } from "../api/api-types.ts";
import { formatCount } from "../ui/format.ts";
import { periodText } from "./period-text.ts";
import { PlotEnds } from "./plot-ends.tsx";

const HEIGHT = 160;
const BAR = 22;
const GAP = 6;

const PARTS = [
  { name: "succeeded", label: "succeeded", tone: "ok" },
  { name: "partial", label: "partially succeeded", tone: "warn" },
  { name: "refused", label: "refused", tone: "run" },
  { name: "failed", label: "failed", tone: "bad" },
  { name: "cancelled", label: "cancelled", tone: "idle" },
] as const;

/** A bar for each period: how many plans ended in it, and how. The latest are to the right. */
export function PeriodPlot({ periods, period }: { periods: readonly PeriodFigures[]; period: Period }) {
  const highest = Math.max(1, ...periods.map(({ plans }) => plans));
  const width = periods.length * (BAR + GAP);
  return (
    <figure className="plot card">
      <svg
        className="period-plot"
        viewBox={`0 0 ${width} ${HEIGHT}`}
        height={HEIGHT}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Finished plans per ${period} (max ${highest})`}
      >
        {periods.map((one, index) => (
          <Bar key={one.from} figures={one} period={period} x={index * (BAR + GAP)} highest={highest} />
        ))}
      </svg>
      <PlotEnds periods={periods} period={period} />
      <figcaption>
        {PARTS.map(({ name, label, tone }) => (
          <span key={name} className={`plot-key tone-${tone}`}>
            {label}
          </span>
        ))}
        <span>
          per {period}, max {formatCount(highest, "plan")}
        </span>
      </figcaption>
    </figure>
  );
}

type BarProps = {
  readonly figures: PeriodFigures;
  readonly period: Period;
  readonly x: number;
  readonly highest: number;
};

function Bar({ figures, period, x, highest }: BarProps) {
  let below = 0;
  const words = PARTS.map(({ name, label }) => `${figures[name]} ${label}`).join(", ");
  return (
    <g>
      <title>{`${periodText(figures.from, period)}: ${words}`}</title>
      <rect x={x} y={0} width={BAR} height={HEIGHT} className="plot-ground" />
      {PARTS.map(({ name, tone }) => {
        const height = (figures[name] / highest) * (HEIGHT - 4);
        below += height;
        return (
          <rect
            key={name}
            x={x}
            y={HEIGHT - below}
            width={BAR}
            height={height}
            className={`plot-part tone-${tone}`}
          />
        );
      })}
    </g>
  );
}
