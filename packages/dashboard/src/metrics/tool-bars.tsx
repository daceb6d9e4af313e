import type { Metrics } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { Button } from "../ui/button.tsx";
import { formatCount } from "../ui/format.ts";
import { TOOLS } from "./metrics-words.ts";
import { percentText, timeText } from "./number-words.ts";
import { PLOTS, plansHref } from "./plot.tsx";

const SHOWN = 8;

type Row = {
  readonly tool: string;
  readonly value: number;
  readonly text: string;
  readonly href: string;
};

/** The tools whose steps failed most often, and those whose steps take longest. Each links to its plans. */
export function ToolBars({
  metrics,
  onExport,
}: {
  readonly metrics: Metrics;
  readonly onExport: () => void;
}) {
  const { byTool } = metrics;
  const failing = byTool
    .filter(({ failed }) => failed > 0)
    .map(({ tool, failed, steps, failureRate }): Row => {
      const text = TOOLS.failed(String(failed), formatCount(steps, "step"), percentText(failureRate));
      return { tool, value: failed, text, href: plansHref(metrics, metrics, { failedTool: tool }) };
    });
  const slowest = byTool
    .map(({ tool, durationMs: { mean, max } }): Row => {
      const text = TOOLS.duration(timeText(mean), timeText(max));
      return { tool, value: mean ?? 0, text, href: plansHref(metrics, metrics, { tool }) };
    })
    .toSorted((a, b) => b.value - a.value);
  return (
    <>
      <div className={PLOTS}>
        <Bars title={TOOLS.failing} rows={failing} none={TOOLS.noFailures} tone="bad" />
        <Bars title={TOOLS.slowest} rows={slowest} none={TOOLS.noSteps} tone="run" />
      </div>
      {byTool.length > 0 && (
        <Button className="justify-self-start" onClick={onExport}>
          {TOOLS.exportCsv}
        </Button>
      )}
    </>
  );
}

type BarsProps = {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly none: string;
  readonly tone: "bad" | "run";
};

function Bars({ title, rows, none, tone }: BarsProps) {
  const shown = rows.slice(0, SHOWN);
  const most = Math.max(...shown.map(({ value }) => value), 0);
  return (
    <section className="card px-4.5 py-4" aria-label={title}>
      <h2 className="text-base">{title}</h2>
      {shown.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <ol className="mt-2 grid gap-1.5">
          {shown.map(({ tool, value, text, href }) => (
            <li key={tool}>
              <Link
                className="group grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 py-0.5 text-sm text-inherit no-underline"
                href={href}
              >
                <code className="group-hover:underline">{tool}</code>
                <span className="soft">{text}</span>
                <span
                  className={`col-span-full h-1.5 min-w-0.5 rounded-full bg-tone tone-${tone}`}
                  style={{ width: `${most === 0 ? 0 : (value / most) * 100}%` }}
                />
              </Link>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}
