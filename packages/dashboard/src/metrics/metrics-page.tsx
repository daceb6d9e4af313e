/** How finished plans have done: in a time range, compared with the time before, over time, by strategy and by tool. */
import type { ReactNode } from "react";
import type { Figures, Metrics } from "../api/api-types.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { usePageTitle } from "../notify/page-title.ts";
import { useSearchField } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { SystemPage } from "../system/system-page.tsx";
import { saveAs } from "../ui/save-link.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useNow } from "../ui/use-now.ts";
import { useVisible } from "../ui/use-visible.ts";
import { DataTable } from "../values/data-table.tsx";
import { BarPlot } from "./bar-plot.tsx";
import { OUTCOMES, TRENDS, USAGE } from "./charts.ts";
import { MetricsControls } from "./metrics-controls.tsx";
import { periodsCsv, toolsCsv } from "./metrics-csv.ts";
import { type ChosenMetrics, type MetricsQuery, queryOf, readChosen } from "./metrics-range.ts";
import { BEFORE, METRIC_ROWS, PAGE } from "./metrics-words.ts";
import { SlowestSteps } from "./slowest-steps.tsx";
import { TileRow } from "./tile-row.tsx";
import { ToolBars } from "./tool-bars.tsx";
import { TrendPlot } from "./trend-plot.tsx";
import { countText, dollarsText, meanCountText, percentText, ratioText, timeText } from "./number-words.ts";
import styles from "./metrics.module.css";
import systemStyles from "../system/system.module.css";

const REFRESH_MS = 60_000;
const OUTCOMES_HEIGHT = 160;
const USAGE_HEIGHT = 110;

export function MetricsPage() {
  const chosen = useChosen();
  const query = queryOf(chosen);
  usePageTitle(PAGE.title);
  if (query === undefined) {
    return (
      <article className={systemStyles.systemPage} aria-labelledby="system-title">
        <header>
          <h1 id="system-title">{PAGE.title}</h1>
          <p>{PAGE.lead}</p>
        </header>
        <MetricsControls chosen={chosen} shown={undefined} onExport={undefined} />
      </article>
    );
  }
  return <Loaded chosen={chosen} query={query} />;
}

function Loaded({ chosen, query }: { readonly chosen: ChosenMetrics; readonly query: MetricsQuery }) {
  const { gateway } = useServices();
  // A range that ends now moves on.
  const now = useNow(REFRESH_MS, useVisible());
  const loaded = useLoaded(`metrics ${JSON.stringify(query)}`, Math.floor(now / REFRESH_MS), (signal) =>
    gateway.metrics(query, signal),
  );
  const metrics = loaded.phase === "ready" ? loaded.value : undefined;
  const controls = (
    <MetricsControls
      chosen={chosen}
      shown={metrics}
      onExport={metrics && (() => save("metrics.csv", periodsCsv(metrics)))}
    />
  );
  return (
    <SystemPage title={PAGE.title} lead={PAGE.lead} loaded={loaded} controls={controls}>
      {(value) => <Content metrics={value} before={BEFORE[chosen.range]} />}
    </SystemPage>
  );
}

function useChosen(): ChosenMetrics {
  const [range] = useSearchField("range");
  const [from] = useSearchField("from");
  const [to] = useSearchField("to");
  const [period] = useSearchField("period");
  const [strategy] = useSearchField("strategy");
  return readChosen({ range, from, to, period, strategy });
}

function Content({ metrics, before }: { readonly metrics: Metrics; readonly before: string }): ReactNode {
  const { all, byStrategy, period = "day" } = metrics;
  if (all.plans === 0) return <EmptyState of="metrics" />;
  const columns = byStrategy.map((one): [string, Figures] => [one.strategy, one]);
  return (
    <>
      <TileRow metrics={metrics} before={before} />
      <BarPlot chart={OUTCOMES} metrics={metrics} period={period} height={OUTCOMES_HEIGHT} />
      <div className={styles.trends}>
        {TRENDS.map((trend) => (
          <TrendPlot key={trend.title} trend={trend} metrics={metrics} period={period} />
        ))}
        {USAGE.map((chart) => (
          <BarPlot key={chart.title} {...{ chart, metrics, period }} height={USAGE_HEIGHT} />
        ))}
      </div>
      {metrics.slowestSteps !== undefined && <SlowestSteps steps={metrics.slowestSteps} />}
      <ToolBars metrics={metrics} onExport={() => save("tools.csv", toolsCsv(metrics))} />
      <section className={styles.byStrategy} aria-labelledby="by-strategy">
        <h2 id="by-strategy">{PAGE.strategies}</h2>
        <DataTable table={tableOf([["all", all], ...columns])} />
      </section>
    </>
  );
}

function save(name: string, csv: string): void {
  saveAs(name, new Blob([csv], { type: "text/csv;charset=utf-8" }));
}

function tableOf(columns: readonly (readonly [string, Figures])[]) {
  const rows = FIGURES.map(({ label, of: figure }) => [label, ...columns.map(([, one]) => figure(one))]);
  return { columns: ["", ...columns.map(([name]) => name)], rows, truncated: false };
}

/** The figures in words, as docs/metrics.md defines them. */
type FigureRow = { readonly label: string; readonly of: (figures: Figures) => string };

const FIGURES: readonly FigureRow[] = [
  { label: METRIC_ROWS.plans, of: ({ plans }) => countText(plans) },
  { label: METRIC_ROWS.partiallySucceeded, of: ({ partial }) => countText(partial) },
  { label: METRIC_ROWS.refused, of: ({ refused }) => countText(refused) },
  { label: METRIC_ROWS.successRate, of: ({ successRate }) => percentText(successRate) },
  { label: METRIC_ROWS.successWithoutHumanEdits, of: ({ unaidedRate }) => percentText(unaidedRate) },
  { label: METRIC_ROWS.timeToCompletionP50, of: ({ timeToCompletionMs: { p50 } }) => timeText(p50) },
  { label: METRIC_ROWS.timeToCompletionP95, of: ({ timeToCompletionMs: { p95 } }) => timeText(p95) },
  { label: METRIC_ROWS.planningTimeMean, of: ({ planning: { meanMs } }) => timeText(meanMs) },
  { label: METRIC_ROWS.planningShareOfTotal, of: ({ planning: { share } }) => percentText(share) },
  { label: METRIC_ROWS.failedSteps, of: ({ steps: { failureRate } }) => percentText(failureRate) },
  { label: METRIC_ROWS.revisionsPerPlan, of: ({ replanning: { perPlan } }) => ratioText(perPlan) },
  {
    label: METRIC_ROWS.humanEditsPerPlan,
    of: ({ interventions: { editsPerPlan } }) => ratioText(editsPerPlan),
  },
  { label: METRIC_ROWS.effectsPerPlan, of: ({ effects: { perPlan } }) => ratioText(perPlan) },
  { label: METRIC_ROWS.toolCallsVsMinimum, of: ({ toolCalls }) => ratioText(toolCalls.ratio) },
  { label: METRIC_ROWS.modelCallsVsMinimum, of: ({ modelCalls }) => ratioText(modelCalls.ratio) },
  { label: METRIC_ROWS.tokensPerPlan, of: ({ tokens: { perPlan } }) => meanCountText(perPlan) },
  { label: METRIC_ROWS.costPerPlan, of: ({ cost: { perPlan } }) => dollarsText(perPlan) },
  { label: METRIC_ROWS.ratingOf5, of: ({ satisfaction: { mean } }) => ratioText(mean) },
];
