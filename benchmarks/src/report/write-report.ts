import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type ResultFile, ResultFile as ResultFileSchema, type Metric, type Result } from "./result.ts";

const README = "benchmarks/README.md";
const GENERATED = /(<!-- generated: [^>]*-->\n)[\s\S]*(<!-- end of generated -->)/;

/** Writes one workload's result with its raw samples, replacing an earlier one. */
export async function writeResult(folder: string, result: ResultFile): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(fileOf(folder, result.workload), `${textOf(result)}\n`);
}

/**
 * Writes the tables and the plot of every result in the folder, in the order of `names`.
 *
 * @param options.intoReadme - Whether to write the tables into the benchmarks' README too, except for the one of all metrics.
 */
export async function writeReport(
  folder: string,
  { names, intoReadme }: { readonly names: readonly string[]; readonly intoReadme: boolean },
): Promise<void> {
  const results: ResultFile[] = [];
  for (const name of names) {
    const text = await readFile(fileOf(folder, name), "utf8").catch(() => undefined);
    if (text !== undefined) results.push(ResultFileSchema.parse(JSON.parse(text)));
  }
  const table = summaryTables(results);
  await writeFile(path.join(folder, "table.md"), `${table}\n\n${allFigures(results)}\n`);
  await writeFile(path.join(folder, "plot.svg"), plotOf(results));
  if (intoReadme) await writeFile(README, withTable(await readFile(README, "utf8"), table));
  console.error(`\n${table}\n${folder}`);
}

function withTable(readme: string, table: string): string {
  if (!GENERATED.test(readme)) throw new Error(`${README} has no place for the table`);
  const plot = "![ours, the targets and the floors](results/plot.svg)";
  return readme.replace(
    GENERATED,
    (_, head: string, tail: string) => `${head}\n${plot}\n\n${table}\n\n${tail}`,
  );
}

function fileOf(folder: string, workload: string): string {
  return path.join(folder, `${workload}.json`);
}

/** Readable, with the samples of each run on one line. */
function textOf(result: ResultFile): string {
  const text = JSON.stringify(result, null, 1);
  return text.replace(/\[\s+(-?[\d.e+-]+(?:,\s+-?[\d.e+-]+)*)\s+\]/g, (_, list: string) => {
    return `[${list.replace(/\s+/g, "")}]`;
  });
}

const WIDTH = 860;
const LABEL_WIDTH = 250;
const BAR_HEIGHT = 16;
const BAR_GAP = 6;
const GROUP_GAP = 30;
const TITLE_HEIGHT = 22;
const VALUE_WIDTH = 190;

type Bar = { readonly label: string; readonly value: number; readonly metric?: Metric; readonly kind: Kind };
type Kind = "ours" | "target" | "floor";

const COLOURS: Readonly<Record<Kind, string>> = { ours: "#2563eb", target: "#94a3b8", floor: "#0f766e" };

/** @returns An SVG document; each workload has its own linear scale from zero. */
export function plotOf(results: readonly Result[]): string {
  let top = 10;
  const groups = results.map((result) => {
    const { svg, height } = groupOf(result, top);
    top += height + GROUP_GAP;
    return svg;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" width="${WIDTH}" height="${top}" font-family="system-ui, sans-serif" font-size="12">
<rect width="100%" height="100%" fill="#ffffff"/>
${groups.join("\n")}
</svg>
`;
}

function groupOf(result: Result, top: number): { readonly svg: string; readonly height: number } {
  const bars = barsOf(result);
  const most = Math.max(
    ...bars.map(({ value, metric }) => Math.max(value, metric?.max ?? 0)),
    Number.MIN_VALUE,
  );
  const scale = (value: number): number => (Math.max(0, value) / most) * (WIDTH - LABEL_WIDTH - VALUE_WIDTH);
  const [headline] = result.metrics;
  const better = headline?.better === "higher" ? "more is better" : "less is better";
  const title = `${result.workload}: ${headline?.label ?? ""} (${better})`;
  const rows = bars.map((bar, index) =>
    barSvg(bar, {
      y: top + TITLE_HEIGHT + index * (BAR_HEIGHT + BAR_GAP),
      scale,
      unit: headline?.unit ?? "",
    }),
  );
  return {
    svg: `<text x="10" y="${top + 12}" font-weight="600">${escaped(title)}</text>\n${rows.join("\n")}`,
    height: TITLE_HEIGHT + bars.length * (BAR_HEIGHT + BAR_GAP),
  };
}

function barsOf({ metrics, floors }: Result): Bar[] {
  const [headline] = metrics;
  if (headline === undefined) return [];
  const target = headline.target;
  return [
    { label: "Planwright", value: headline.median, metric: headline, kind: "ours" },
    ...(target === undefined ? [] : [{ label: "target", value: target, kind: "target" as const }]),
    ...floors
      .flatMap((key) => metrics.find((metric) => metric.key === key) ?? [])
      .map((metric) => ({ label: metric.label, value: metric.median, metric, kind: "floor" as const })),
  ];
}

function barSvg(
  { label, value, metric, kind }: Bar,
  { y, scale, unit }: { y: number; scale: (value: number) => number; unit: string },
): string {
  const middle = y + BAR_HEIGHT / 2;
  const at = (position: number): string => (LABEL_WIDTH + scale(position)).toFixed(1);
  const range =
    metric === undefined
      ? ""
      : `<line x1="${at(metric.min)}" x2="${at(metric.max)}" y1="${middle}" y2="${middle}" stroke="#111827" stroke-width="1.5"/>`;
  const end = Math.max(scale(value), scale(metric?.max ?? 0)) + LABEL_WIDTH + 6;
  return [
    `<text x="${LABEL_WIDTH - 8}" y="${middle + 4}" text-anchor="end">${escaped(label)}</text>`,
    `<rect x="${LABEL_WIDTH}" y="${y}" width="${Math.max(1, scale(value)).toFixed(1)}" height="${BAR_HEIGHT}" fill="${COLOURS[kind]}"/>`,
    range,
    `<text x="${end.toFixed(1)}" y="${middle + 4}">${escaped(number(value) + unitText(unit))}</text>`,
  ].join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The headlines beside their targets and floors, then the cost of each step by process. */
export function summaryTables(results: readonly Result[]): string {
  return [headlines(results), cpuTable(results)].join("\n\n");
}

function headlines(results: readonly Result[]): string {
  const rows = results.map((result) => {
    const [headline] = result.metrics;
    if (headline === undefined) return [];
    const perStep = cpuOfStep(result);
    return [
      result.workload,
      cpuOfPlan(result),
      `${headline.label} ${figures(headline)}`,
      targetsOf(result, headline),
      floorsOf(result, headline),
      perStep === undefined ? "" : `${number(perStep)} ms`,
      loadOf(result),
    ];
  });
  return markdown(
    [
      "",
      "processor time per plan",
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

/** The headline's target or, if it has none, the metrics with targets. */
function targetsOf({ metrics }: Result, headline: Metric): string {
  if (headline.target !== undefined) return targetOf(headline);
  return metrics
    .filter(({ target }) => target !== undefined)
    .map(
      (metric) => `${metric.label} **${number(metric.median)}**${unitText(metric.unit)} ${targetOf(metric)}`,
    )
    .join("; ");
}

function targetOf({ target, better, median, unit }: Metric): string {
  if (target === undefined) return "";
  const isMet = better === "lower" ? median <= target : median >= target;
  return `${better === "lower" ? "≤" : "≥"} ${number(target)}${unitText(unit)}: ${isMet ? "met" : "not met"}`;
}

/** The ratio of the headline to each floor: always how many times worse. */
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

function cpuOfPlan(result: Result): string {
  const { stepsPerPlan } = result;
  const perStep = cpuOfStep(result);
  return perStep === undefined || stepsPerPlan === undefined
    ? ""
    : `**${number(perStep * stepsPerPlan)}** ms`;
}

/** Milliseconds over all processes; undefined if none was measured. */
function cpuOfStep({ cpuMsPerStep }: Result): number | undefined {
  const all = Object.values(cpuMsPerStep);
  return all.length === 0 ? undefined : all.reduce((sum, ms) => sum + ms, 0);
}

/** As written after a number. */
export function unitText(unit: string): string {
  if (unit === "") return "";
  if (unit === "1/s") return "/s";
  return unit === "%" ? unit : ` ${unit}`;
}

/** Three significant digits; four just above one, where ratios are; whole numbers from a hundred on. */
export function number(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en-US");
  return String(Number(value.toPrecision(value > 1 && value < 1.1 ? 4 : 3)));
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
