/** Metrics of finished plans: in a time range, compared with the period before, over time, by strategy and by tool. */
import clsx from "clsx";
import type { ReactNode } from "react";
import type { Figures, Metrics } from "../api/api-types.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { Link } from "../router/link.tsx";
import { useSearchField } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { SystemPage } from "../system/system-page.tsx";
import { ScrollTable } from "../ui/scroll-table.tsx";
import { formatCount } from "../ui/format.ts";
import { saveAs } from "../ui/save-link.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useNow } from "../clock/use-now.ts";
import { useVisible } from "../ui/use-visible.ts";
import { DataTable } from "../values/data-table.tsx";
import { BarPlot } from "./bar-plot.tsx";
import { OUTCOMES, TRENDS, USAGE } from "./charts.ts";
import {
  MetricsControls,
  type ChosenMetrics,
  type MetricsQuery,
  queryOf,
  readChosen,
} from "./metrics-controls.tsx";
import { periodsCsv, toolsCsv } from "./metrics-csv.ts";
import { BEFORE, METRIC_ROWS, PAGE, SLOWEST_STEPS, TILE_NAMES, TILES } from "./metrics-words.ts";
import { PLOTS } from "./plot.tsx";
import { countText, dollarsText, meanCountText, percentText, ratioText, timeText } from "./number-words.ts";
import { type Change, changeOf, changeText, TILE_KINDS } from "./tiles.ts";
import { ToolBars } from "./tool-bars.tsx";
import { TrendPlot } from "./trend-plot.tsx";

const ARROWS: Readonly<Record<Change["direction"], string>> = { up: "▲", down: "▼", same: "" };

const REFRESH_MS = 60_000;
const OUTCOMES_HEIGHT = 160;
const USAGE_HEIGHT = 110;

export function MetricsPage() {
  const chosen = useChosen();
  const query = queryOf(chosen);
  if (query === undefined) {
    const controls = <MetricsControls chosen={chosen} shown={undefined} onExport={undefined} />;
    return (
      <SystemPage
        title={PAGE.title}
        lead={PAGE.lead}
        loaded={{ phase: "ready", value: null }}
        controls={controls}
      >
        {() => null}
      </SystemPage>
    );
  }
  return <Loaded chosen={chosen} query={query} />;
}

function Loaded({ chosen, query }: { readonly chosen: ChosenMetrics; readonly query: MetricsQuery }) {
  const { gateway } = useServices();
  // A range that ends now moves with the time.
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
      <div className={PLOTS}>
        {TRENDS.map((trend) => (
          <TrendPlot key={trend.title} trend={trend} metrics={metrics} period={period} />
        ))}
        {USAGE.map((chart) => (
          <BarPlot key={chart.title} {...{ chart, metrics, period }} height={USAGE_HEIGHT} />
        ))}
      </div>
      {metrics.slowestSteps !== undefined && <SlowestSteps steps={metrics.slowestSteps} />}
      <ToolBars metrics={metrics} onExport={() => save("tools.csv", toolsCsv(metrics))} />
      <section aria-labelledby="by-strategy">
        <h2 className="mb-2 text-base" id="by-strategy">
          {PAGE.strategies}
        </h2>
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

/** The metrics as text, as docs/metrics.md defines them. */
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

type Props = {
  readonly metrics: Metrics;
  /** Describes `metrics.previous`. */
  readonly before: string;
};

/** The main metrics of the range, each with its change from the period before. */
function TileRow({ metrics: { all, previous }, before }: Props) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4" aria-label={TILES.label}>
      {TILE_KINDS.map((kind) => (
        <div key={kind.name} className="card px-4 py-3">
          <dt className="text-sm text-soft">{kind.name}</dt>
          <dd className="mt-0.5 grid">
            <span className="text-xl font-semibold tabular-nums">{kind.text(kind.of(all))}</span>
            {previous !== undefined && <TileChange change={changeOf(kind, all, previous)} before={before} />}
            {kind.name === TILE_NAMES.cost && <UnknownCost all={all} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TileChange({ change, before }: { readonly change: Change | undefined; readonly before: string }) {
  const tone = change?.tone ?? "idle";
  const colour = tone === "idle" ? "text-soft" : `tone-${tone} text-tone`;
  return (
    <span className={clsx("text-xs", colour)}>
      {change !== undefined && <span aria-hidden="true">{ARROWS[change.direction]} </span>}
      {changeText(change, before)}
    </span>
  );
}

function UnknownCost({ all: { cost } }: { readonly all: Figures }) {
  if (cost.plansUnknown === 0) return null;
  return (
    <span className="text-xs text-soft">{TILES.plansUnknown(formatCount(cost.plansUnknown, "plan"))}</span>
  );
}

type SlowStep = NonNullable<Metrics["slowestSteps"]>[number];

/** The slowest single steps of the range, each with a link to its place in its plan. */
function SlowestSteps({ steps }: { readonly steps: readonly SlowStep[] }) {
  return (
    <section className="card px-4.5 py-4" aria-labelledby="slowest-steps">
      <h2 className="mb-2 text-base" id="slowest-steps">
        {SLOWEST_STEPS.title}
      </h2>
      {steps.length === 0 ? (
        <p>{SLOWEST_STEPS.none}</p>
      ) : (
        <ScrollTable
          label={SLOWEST_STEPS.title}
          head={[
            SLOWEST_STEPS.step,
            SLOWEST_STEPS.tool,
            { number: SLOWEST_STEPS.duration },
            SLOWEST_STEPS.plan,
          ]}
        >
          {steps.map((step) => (
            <Row key={hrefOf(step)} step={step} />
          ))}
        </ScrollTable>
      )}
    </section>
  );
}

function Row({ step }: { readonly step: SlowStep }) {
  const { planId, goal, stepId, item, tool, durationMs, failed } = step;
  return (
    <tr>
      <th scope="row">
        <Link href={hrefOf(step)}>
          <code>{stepId}</code>
          {item !== undefined && ` ${SLOWEST_STEPS.item(item)}`}
        </Link>
      </th>
      <td>
        <code>{tool}</code>
      </td>
      <td className="number">
        {timeText(durationMs)}
        {failed && <span className="badge tone-bad ml-2">{SLOWEST_STEPS.failed}</span>}
      </td>
      <td className="min-w-55">
        <Link href={`/plans/${encodeURIComponent(planId)}`}>{goal}</Link>
      </td>
    </tr>
  );
}

function hrefOf({ planId, stepId, item }: SlowStep): string {
  const place = new URLSearchParams({ step: stepId, ...(item === undefined ? {} : { item: String(item) }) });
  return `/plans/${encodeURIComponent(planId)}?${place.toString()}`;
}
