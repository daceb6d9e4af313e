/** The headlines as a picture: for each workload, ours, its target and its floors, with the range of the runs. */
import { number, unitText } from "./table.ts";
import type { Metric, Result } from "./result.ts";

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
