/**
 * Columns whose names run their words together: `hourlypay` is read as `hourly_pay`, in the data and in the goal alike. Only a
 * name that consists of nothing but common words of column names is taken apart.
 */
import { wordsOf } from "./words.ts";
import type { DataSource } from "../../prompt/plan-prompt.ts";

const PARTS = new Set(
  `first last full middle nick user company customer client supplier vendor member employee staff order invoice payment due start end begin
   finish birth hire hired join joined entry exit issue issued paid delivery delivered ship shipped shipping created updated registered received
   returned closed opened sent completed approved cancelled booked ordered borrowed expiry expires unit total net gross annual monthly
   weekly daily hourly yearly base list sale sales sold purchase cost price discount tax vat product item stock quantity job work home office post
   postal zip street phone mobile email contact account bank department team region country city town branch shop store room seat seats floor year
   years month months hour hours minute minutes day days week age score rating grade level bill pay charge wage salary rate fee amount value
   budget loan credit debit driving licence license language native status type category kind group name title code number no id ref date time
   on at by of per is has experience count size weight height length width bonus method address max min average
   worked depth volume distance eur euros usd dollars gbp pounds kg km cm mm sqm percent passed failed`.match(
    /\S+/g,
  ),
);
const PARTS_MAX = 4;
/** `weightg`: a letter alone is the unit of what is measured. */
const MEASURED = /^(weight|mass|length|height|width|depth|size|distance|volume)(g|m|l|t)$/;

/** The parts of a name, the fewest there can be; null when something else is in it. */
function partsOf(name: string, known: ReadonlySet<string>, max: number): readonly string[] | null {
  if (known.has(name)) return [name];
  const [, measure, unit] = MEASURED.exec(name) ?? [];
  if (measure !== undefined && unit !== undefined) return [measure, unit];
  if (max === 1) return null;
  const found: (readonly string[])[] = [];
  for (let cut = 2; cut <= name.length - 2; cut++) {
    const [head, rest] = [name.slice(0, cut), name.slice(cut)];
    const others = known.has(head) ? partsOf(rest, known, max - 1) : null;
    if (others !== null) found.push([head, ...others]);
  }
  return found.toSorted((one, other) => one.length - other.length)[0] ?? null;
}

export type SpokenData = {
  readonly data: readonly DataSource[];
  /** A goal that names columns as they are stored, with the names of `data`. */
  readonly goalOf: (goal: string) => string;
  /** Arguments with the stored names: in SQL behind quotes, elsewhere as a whole text. */
  readonly stored: <T>(value: T) => T;
};

export function spokenData(data: readonly DataSource[]): SpokenData {
  const names = new Map<string, string>();
  for (const table of data.flatMap(({ tables }) => tables)) {
    // `sampletype` of a table of samples.
    const rows = wordsOf(table.name);
    const known = new Set([...PARTS, ...rows, ...rows.map((word) => word.replace(/s$/, ""))]);
    for (const { name } of table.columns) {
      const parts = /^\p{Ll}{5,40}$/u.test(name) ? partsOf(name, known, PARTS_MAX) : null;
      if (parts !== null && parts.length > 1) names.set(name, parts.join("_"));
    }
  }
  if (names.size === 0) return { data, goalOf: (goal) => goal, stored: (value) => value };
  const back = new Map([...names].map(([name, spoken]) => [spoken, name]));
  const stored = (value: unknown): unknown => {
    if (typeof value === "string")
      return (
        back.get(value) ??
        value.replace(/"(\w+)"/g, (whole, name: string) => (back.has(name) ? `"${back.get(name)}"` : whole))
      );
    if (Array.isArray(value)) return value.map(stored);
    if (value === null || typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, stored(part)]));
  };
  return {
    data: data.map((source) => ({
      ...source,
      tables: source.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => ({ ...column, name: names.get(column.name) ?? column.name })),
      })),
    })),
    goalOf: (goal) =>
      goal.replace(/\p{L}+/gu, (word) => names.get(word.toLowerCase())?.replaceAll("_", " ") ?? word),
    // The same shape with other texts.
    stored: <T>(value: T): T => stored(value) as T,
  };
}
