/** Rows as plain sentences: every figure is a value of a row, named by its column. */
import { formatNamed, formatPercent, formatValue, spokenName } from "../text/format-value.ts";
import type { Row } from "./read-output.ts";

const LISTED_ROWS_MAX = 60;

/** Null when the rows contain no value: nothing matched. */
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
  const tie = tieAtTheTop(filled, description);
  return (
    tie ??
    `${tellList(filled, description, truncated)}${together(filled, description)}${tieAtTheEnd(filled, description)}`
  );
}

/** One row was requested and several have the same figure. */
function tieAtTheTop(rows: readonly Row[], description: string): string | null {
  if (
    !/ with the (?:\w+ )?(?:highest|lowest|earliest|latest) /.test(description) ||
    /^(?:Top|Bottom) | in each /.test(description)
  )
    return null;
  const columns = Object.keys(rows[0] ?? {});
  const shared = columns.filter((name) => rows.every((row) => row[name] === rows[0]?.[name]));
  const own = columns.filter((name) => !shared.includes(name));
  const [name = "", ...asked] = own.length === 0 ? columns : own;
  const isTold = description.includes(" (with its ");
  const names = rows.map((row) =>
    isTold && asked.length > 0
      ? `${formatNamed(name, row[name])} (${pairs(row, asked)})`
      : formatNamed(name, row[name]),
  );
  const shown = names.slice(0, LISTED_ROWS_MAX);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  const list =
    more === "" ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1) ?? ""}` : `${shown.join(", ")}${more}`;
  const figure = shared.map((name) => `${spokenName(name)} ${formatNamed(name, rows[0]?.[name])}`).join(", ");
  return `${description}: a tie between ${list}${figure === "" ? "" : `, each with ${figure}`}.`;
}

/** `Top 3` with a fourth row: the last ones are equal. */
function tieAtTheEnd(rows: readonly Row[], description: string): string {
  const wanted = Number(/^(?:Top|Bottom|Latest|Earliest) (\d+) /.exec(description)?.[1] ?? 0);
  if (wanted === 0 || rows.length <= wanted || / found\b| in each /.test(description)) return "";
  const by = / by (?:the )?(.*)$/.exec(description)?.[1] ?? "";
  const figures = Object.keys(rows[0] ?? {}).filter((name) => typeof rows[0]?.[name] === "number");
  const figure = figures.find((name) => by.startsWith(spokenName(name))) ?? figures.at(-1);
  const tied = rows.filter((row) => figure !== undefined && row[figure] === rows.at(-1)?.[figure]).length;
  const who = tied === rows.length ? "All of them" : `The last ${tied}`;
  return ` ${who} are a tie, so there are ${rows.length} instead of ${wanted}.`;
}

/** The sum of the figures listed before it. */
function together(rows: readonly Row[], description: string): string {
  if (!description.endsWith(", each and together")) return "";
  const figure = Object.keys(rows[0] ?? {}).findLast((name) => typeof rows[0]?.[name] === "number");
  if (figure === undefined) return "";
  const wanted = Number(/^(?:Top|Bottom) (\d+) /.exec(description)?.[1] ?? rows.length);
  if (rows.length > wanted) return "";
  const sum = rows.reduce((total, row) => total + Number(row[figure] ?? 0), 0);
  return ` Together: ${formatValue(Math.round(sum * 100) / 100)}.`;
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
  if (label === null)
    return `${description}: ${spokenName(figure)} went ${leader}${difference(first, figure)}.`;
  const ranked = first["period"] !== undefined;
  const name = formatNamed(label, first[label]);
  const verb = growthVerb(first["growth_percent"], description);
  const lead =
    ranked && verb !== null
      ? `${name} ${verb}: ${spokenName(figure)} went ${leader}.`
      : `${description}: ${name} ${leader}.`;
  if (others.length === 0) return lead;
  const rest = others
    .slice(0, LISTED_ROWS_MAX)
    .map((row) => `${formatNamed(label, row[label])} ${shortChange(row, columns)}`);
  return `${lead} ${ranked ? "Next came" : "Then"} ${rest.join("; ")}.`;
}

function shortChange(row: Row, { figure }: GrowthColumns): string {
  return `${growthOf(row)} (${formatValue(row[`earlier_${figure}`])} to ${formatValue(row[figure])})`;
}

function growthOf(row: Row): string {
  const percent = row["growth_percent"];
  return typeof percent === "number"
    ? formatPercent(percent)
    : "no growth in percent: it did not start above zero";
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

/** The change in the figure's own unit, with its sign. */
function difference(row: Row, figure: string): string {
  const [before, after] = [row[`earlier_${figure}`], row[figure]];
  if (typeof before !== "number" || typeof after !== "number") return "";
  const change = Math.round((after - before) * 100) / 100;
  return `, a change of ${change > 0 ? "+" : ""}${formatValue(change)}`;
}

function tellList(rows: readonly Row[], description: string, truncated: boolean): string {
  const columns = Object.keys(rows[0] ?? {});
  // A column with the same value in every row is stated once, at the start.
  const constant = columns.filter((name) => rows.every((row) => row[name] === rows[0]?.[name]));
  const varying = columns.filter((name) => !constant.includes(name));
  const context =
    constant.length === 0
      ? ""
      : ` (${constant.map((name) => `${spokenName(name)} ${formatNamed(name, rows[0]?.[name])}`).join(", ")})`;
  // The value from another step is known by now.
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

/** `Ridgeline Tent 2P, revenue 6,112.35`: the first text unchanged, figures with their column's name. */
function item(row: Row, columns: readonly string[]): string {
  return columns
    .map((name) => (typeof row[name] === "number" ? namedValue(row, name) : formatValue(row[name])))
    .join(", ");
}

function pairs(row: Row, columns: readonly string[] = Object.keys(row)): string {
  return columns.map((name) => namedValue(row, name)).join(", ");
}

function namedValue(row: Row, name: string): string {
  const value = row[name];
  if (name === "share_percent" && typeof value === "number") return `share ${value.toFixed(1)}%`;
  return `${spokenName(name)} ${formatNamed(name, value)}`;
}
