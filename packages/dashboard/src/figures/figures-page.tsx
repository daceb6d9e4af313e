/** How the plans that ended have done: of all, by strategy, and over time. */
import "./figures.css";
import type { Figures, Metrics, Period, PeriodFigures } from "../api/api-types.ts";
import { PLANNED_BY } from "../plans/planned-by.ts";
import { PlannedBySelect } from "../plans/planned-by-select.tsx";
import { useSearchField } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { SystemPage } from "../system/system-page.tsx";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { DataTable } from "../values/data-table.tsx";
import { FIGURES } from "./figure-rows.ts";
import { PeriodPlot } from "./period-plot.tsx";
import { TrendPlot } from "./trend-plot.tsx";
import { TRENDS } from "./trends.ts";

const LEAD = "Finished plans; sub-plans count toward their parent.";
const PERIODS: readonly Period[] = ["hour", "day", "week"];
/** The latest of them. */
const PERIODS_MAX = 60;
/** Also of a system that has just begun. */
const PERIODS_MIN = 10;

export function FiguresPage() {
  const { gateway } = useServices();
  const [periodField, setPeriod] = useSearchField("period");
  const [strategyField, setStrategy] = useSearchField("strategy");
  const period = PERIODS.find((one) => one === periodField) ?? "day";
  const strategy = PLANNED_BY.find(([name]) => name === strategyField)?.[0] ?? "";
  const loaded = useLoaded(`metrics ${period} ${strategy}`, 0, (signal) =>
    gateway.metrics({ period, strategy }, signal),
  );
  const controls = (
    <div className="figure-controls">
      <label>
        By
        <select className="field" value={period} onChange={(event) => setPeriod(event.target.value)}>
          {PERIODS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </label>
      <PlannedBySelect value={strategy} all="all" onChange={(name) => setStrategy(name || undefined)} />
    </div>
  );
  return (
    <SystemPage title="Metrics" lead={LEAD} loaded={loaded} controls={controls}>
      {(metrics) => <Content metrics={metrics} period={period} />}
    </SystemPage>
  );
}

function Content({
  metrics: { all, byStrategy, byPeriod = [] },
  period,
}: {
  metrics: Metrics;
  period: Period;
}) {
  if (all.plans === 0) return <EmptyState of="metrics" />;
  const periods = fromFirst(byPeriod).slice(-PERIODS_MAX);
  const columns = byStrategy.map((one): [string, Figures] => [one.strategy, one]);
  return (
    <>
      <PeriodPlot periods={periods} period={period} />
      <div className="trends">
        {TRENDS.map((trend) => (
          <TrendPlot key={trend.title} trend={trend} periods={periods} period={period} />
        ))}
      </div>
      <DataTable table={tableOf([["all", all], ...columns])} />
    </>
  );
}

/** Before the first plan there is nothing to see. */
function fromFirst(periods: readonly PeriodFigures[]): readonly PeriodFigures[] {
  const first = periods.findIndex(({ plans }) => plans > 0);
  return periods.slice(Math.max(0, Math.min(first, periods.length - PERIODS_MIN)));
}

function tableOf(columns: readonly (readonly [string, Figures])[]) {
  const rows = FIGURES.map(({ label, of: figure }) => [label, ...columns.map(([, one]) => figure(one))]);
  return { columns: ["", ...columns.map(([name]) => name)], rows, truncated: false };
}
