/** The results as Markdown tables. */
import type { Metric, Result } from "./result.ts";

/** The headlines beside their targets and floors, then what each step costs each process, then every figure. */
export function tableOf(results: readonly Result[]): string {
  return [headlines(results), cpuTable(results), allFigures(results)].join("\n\n");
}

function headlines(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const [headline] = result.metrics;
    if (headline === undefined) return [];
    return [
      result.workload,
      `${headline.label} ${figures(headline)}`,
      targetOf(headline),
      floorsOf(result, headline),
      cpuSum(result),
      loadOf(result),
    ];
  });
  return markdown(
    [
      "",
      "median of the runs (min to max)",
      "target",
      "floor of the same run",
      "processor time per step",
      "load",
    ],
    rows,
  );
}

function cpuTable(results: readonly Result[]): string {
  const measured = results.filter(({ cpuMsPerStep }) => Object.keys(cpuMsPerStep).length > 0);
  const processes = [...new Set(measured.flatMap(({ cpuMsPerStep }) => Object.keys(cpuMsPerStep)))];
  const rows = measured.map(({ workload, cpuMsPerStep }) => [
    workload,
    ...processes.map((process) => number(cpuMsPerStep[process] ?? 0)),
  ]);
  return markdown(["processor ms per step", ...processes], rows);
}

function allFigures(results: readonly Result[]): string {
  const rows = results.flatMap(({ workload, metrics, runs }) =>
    metrics.map((metric) => [workload, metric.label, figures(metric), String(runs)]),
  );
  return markdown(["", "figure", "median (min to max)", "runs"], rows);
}

function figures({ median, min, max, unit }: Metric): string {
  return `**${number(median)}**${unitText(unit)} (${number(min)} to ${number(max)})`;
}

function targetOf({ target, better, median, unit }: Metric): string {
  if (target === undefined) return "";
  const isMet = better === "lower" ? median <= target : median >= target;
  return `${better === "lower" ? "≤" : "≥"} ${number(target)}${unitText(unit)}: ${isMet ? "met" : "not met"}`;
}

/** How far the headline is from each floor: always how many times worse. */
function floorsOf({ metrics, floors }: Result, headline: Metric): string {
  return floors
    .flatMap((key) => metrics.find((metric) => metric.key === key) ?? [])
    .map((floor) => {
      const ratio =
        headline.better === "lower" ? headline.median / floor.median : floor.median / headline.median;
      const value = `${floor.label} ${number(floor.median)}${unitText(floor.unit)}`;
      return Number.isFinite(ratio) && ratio > 0 ? `${value} (× ${number(ratio)})` : value;
    })
    .join("; ");
}

function loadOf({ load, foreignCores, machine }: Result): string {
  const others = foreignCores === undefined ? "" : `; others kept ${number(foreignCores)} cores busy`;
  return `${load.join(" to ")} on ${machine.cores} cores${others}`;
}

function cpuSum({ cpuMsPerStep }: Result): string {
  const all = Object.values(cpuMsPerStep);
  return all.length === 0 ? "" : `${number(all.reduce((sum, ms) => sum + ms, 0))} ms`;
}

/** As it stands behind a figure. */
export function unitText(unit: string): string {
  if (unit === "") return "";
  return unit === "1/s" ? "/s" : ` ${unit}`;
}

/** Three significant digits; whole numbers from a hundred on. */
export function number(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(3)));
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
