/** Rows as plain sentences: every figure is a value of a row, named by its column. */
import { formatPercent, formatValue, spokenName } from "../text/format-value.ts";
import type { Row } from "./read-output.ts";

const LISTED_ROWS_MAX = 10;

/** Null when the rows hold no value at all: nothing matched. */
export function tellRows(
  rows: readonly Row[],
  { description, truncated }: { description: string; truncated: boolean },
): string | null {
  const filled = rows.filter((row) => Object.values(row).some((value) => value !== null));
  const [first] = filled;
  if (first === undefined) return null;
  const growth = growthColumns(first);
  if (growth !== null) return tellGrowth(filled, growth, description);
  if (filled.length === 1) return `${description}: ${pairs(first)}.`;
  return tellList(filled, description, truncated);
}

type GrowthColumns = { readonly label: string | null; readonly figure: string };

/** The columns of a comparison of two periods: `earlier_x`, `x` and `growth_percent`. */
function growthColumns(row: Row): GrowthColumns | null {
  const names = Object.keys(row);
  const figure = names.find((name) => names.includes(`earlier_${name}`) && name !== "period");
  if (figure === undefined || !names.includes("growth_percent")) return null;
  const others = ["earlier_period", "period", "growth_percent", figure, `earlier_${figure}`];
  return { figure, label: names.find((name) => !others.includes(name)) ?? null };
}

function tellGrowth(rows: readonly Row[], columns: GrowthColumns, description: string): string {
  const [first, ...others] = rows;
  if (first === undefined) return "";
  const { figure, label } = columns;
  const leader = change(first, columns);
  if (label === null) return `${description}: ${spokenName(figure)} went ${leader}.`;
  const ranked = first["period"] !== undefined;
  const name = formatValue(first[label]);
  const verb = growthVerb(first["growth_percent"], description);
  const lead =
    ranked && verb !== null
      ? `${name} ${verb}: ${spokenName(figure)} went ${leader}.`
      : `${description}: ${name} ${leader}.`;
  if (others.length === 0) return lead;
  const rest = others
    .slice(0, LISTED_ROWS_MAX)
    .map((row) => `${formatValue(row[label])} ${shortChange(row, columns)}`);
  return `${lead} ${ranked ? "After it come" : "Then"} ${rest.join("; ")}.`;
}

function shortChange(row: Row, { figure }: GrowthColumns): string {
  return `${growthOf(row)} (${formatValue(row[`earlier_${figure}`])} to ${formatValue(row[figure])})`;
}

function growthOf(row: Row): string {
  const percent = row["growth_percent"];
  return typeof percent === "number" ? formatPercent(percent) : "without a growth rate";
}

function growthVerb(percent: unknown, description: string): string | null {
  if (typeof percent !== "number") return null;
  if (/slowest first/i.test(description)) return percent < 0 ? "fell most" : "grew slowest";
  if (!/fastest first/i.test(description)) return null;
  return percent < 0 ? "fell least" : "grew fastest";
}

function change(row: Row, { figure }: GrowthColumns): string {
  const at = (period: unknown) => (period === undefined ? "" : ` in ${formatValue(period)}`);
  const from = `${formatValue(row[`earlier_${figure}`])}${at(row["earlier_period"])}`;
  return `from ${from} to ${formatValue(row[figure])}${at(row["period"])} (${growthOf(row)})`;
}

function tellList(rows: readonly Row[], description: string, truncated: boolean): string {
  const columns = Object.keys(rows[0] ?? {});
  // A column with the same value everywhere is said once, in front.
  const constant = columns.filter((name) => rows.every((row) => row[name] === rows[0]?.[name]));
  const varying = columns.filter((name) => !constant.includes(name));
  const context =
    constant.length === 0
      ? ""
      : ` (${constant.map((name) => `${spokenName(name)} ${formatValue(rows[0]?.[name])}`).join(", ")})`;
  // The value that another step found is known by now.
  const about = constant.length === 0 ? description : description.replace(/ for the [^,]+ found first/, "");
  const shown = rows.slice(0, LISTED_ROWS_MAX);
  const more =
    rows.length > shown.length || truncated
      ? ` … (${rows.length}${truncated ? " or more" : ""} rows in all)`
      : "";
  if (varying.length <= 3 && varying.length > 0) {
    const items = shown.map((row, index) => `${index + 1}. ${item(row, varying)}`);
    return `${about}${context}: ${items.join("; ")}${more}.`;
  }
  const lines = shown.map((row) => `- ${pairs(row, varying)}`);
  return `${about}${context}:\n${lines.join("\n")}${more === "" ? "" : `\n${more.trim()}`}`;
}

/** `Ridgeline Tent 2P, revenue 6,112.35`: the first text as it is, figures with their column's name. */
function item(row: Row, columns: readonly string[]): string {
  return columns
    .map((name) =>
      typeof row[name] === "number"
        ? `${spokenName(name)} ${formatValue(row[name])}`
        : formatValue(row[name]),
    )
    .join(", ");
}

function pairs(row: Row, columns: readonly string[] = Object.keys(row)): string {
  return columns.map((name) => `${spokenName(name)} ${formatValue(row[name])}`).join(", ");
}
