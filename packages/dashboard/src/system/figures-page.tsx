/** How the plans that ended have done: of all, by strategy, and over time. */
import type { Figures, Period } from "../api/api-types.ts";
import { useSearchField } from "../router/use-route.ts";
import { useServices } from "../shell/services.ts";
import { Notice } from "../ui/notice.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { DataTable } from "../values/data-table.tsx";
import { FIGURES } from "./figure-rows.ts";
import { PeriodPlot } from "./period-plot.tsx";
import { SystemPage } from "./system-page.tsx";

const LEAD = "Of plans that have ended, sub-plans with the plan that asked for them.";
const PERIODS: readonly Period[] = ["hour", "day", "week"];

export function FiguresPage() {
  const { gateway } = useServices();
  const [field, setField] = useSearchField("period");
  const period = PERIODS.find((one) => one === field) ?? "day";
  const loaded = useLoaded(`kpis ${period}`, 0, (signal) => gateway.kpis(period, signal));
  const controls = (
    <label className="system-search">
      By{" "}
      <select className="field" value={period} onChange={(event) => setField(event.target.value)}>
        {PERIODS.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  );
  return (
    <SystemPage title="Figures" lead={LEAD} loaded={loaded} controls={controls}>
      {({ all, byStrategy, byPeriod = [] }) =>
        all.plans === 0 ? (
          <Notice icon="inbox" title="No plan has ended yet" />
        ) : (
          <>
            <PeriodPlot periods={byPeriod} period={period} />
            <DataTable
              table={tableOf([
                ["all", all],
                ...byStrategy.map((one): [string, Figures] => [one.strategy, one]),
              ])}
            />
          </>
        )
      }
    </SystemPage>
  );
}

function tableOf(columns: readonly (readonly [string, Figures])[]) {
  const rows = FIGURES.map(({ label, of: figure }) => [label, ...columns.map(([, one]) => figure(one))]);
  return { columns: ["", ...columns.map(([name]) => name)], rows, truncated: false };
}
