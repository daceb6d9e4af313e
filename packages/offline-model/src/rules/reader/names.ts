/** The column names of an answer, and a meaning as text. */
import { formatNamed, spokenName } from "../text/format-value.ts";
import type { Expr, Figure, Filter, Group, Meaning, Ref, Span } from "./meaning.ts";
import type { Col, Tab } from "./schema.ts";

export function columnName({ name }: Pick<Col, "name">): string {
  return name;
}

/** `name` alone would not identify the thing. */
export function shownName({ name, table }: Pick<Col, "name" | "table">): string {
  return /^(?:name|title|id|no|label)$/i.test(name) ? `${singular(table)}_${name.toLowerCase()}` : name;
}

export function singular(name: string): string {
  return name.replace(/(?<=[^aeiou])ies$/, "y").replace(/(?<=ss|x|ch|sh)es$|(?<=[^su])s$/, "");
}

const AGGREGATES = {
  sum: "total",
  average: "average",
  median: "median",
  lowest: "lowest",
  highest: "highest",
  count: "number",
  distinct: "different",
} as const;

export function figureName({ agg, expr }: Figure, base: Tab): string {
  if (expr === null) return `${singular(base.name)}_count`;
  if (agg === "distinct") return `${exprName(expr)}_count`;
  if (agg === "sum" && expr.e === "col" && expr.ref.col.adds !== "rate") return exprName(expr);
  return `${AGGREGATES[agg]}_${exprName(expr)}`;
}

function exprName(expr: Expr): string {
  switch (expr.e) {
    case "col":
      return columnName(expr.ref.col);
    case "product":
      return `${columnName(expr.left.col)}_times_${columnName(expr.right.col)}`;
    case "plus":
      return expr.refs.map(({ col }) => columnName(col)).join("_and_");
    case "days":
      return "days";
    default:
      return expr satisfies never;
  }
}

/** How the goal was understood; the answer begins with it. */
export function describeMeaning(meaning: Meaning): string {
  const text = sentence(meaning);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(meaning: Meaning): string {
  const { base, filters } = meaning;
  const tail = filterWords(filters);
  switch (meaning.shape) {
    case "figures": {
      const named = meaning.figures.map((figure) => figureWords(figure, base)).join(" and ");
      const groups = meaning.groups.map(groupWords).join(" and ");
      if (groups === "") return `${named}${tail}`;
      const end = meaning.order === "least" ? "lowest" : "highest";
      if (meaning.ranks === 1) return `${groups} with the ${end} ${named}${tail}`;
      if (meaning.ranks !== null)
        return `${meaning.order === "least" ? "bottom" : "top"} ${meaning.ranks} by ${named} of each ${groups}${tail}`;
      const kept =
        meaning.having === null
          ? ""
          : `, only ${signWords(meaning.having.sign)} ${formatNamed("", meaning.having.value)}`;
      return `${named} by ${groups}${tail}${kept}${meaning.order === null ? "" : `, ${end} first`}${meaning.together ? ", each and together" : ""}`;
    }
    case "rows": {
      const shown = meaning.shown.map((ref) => refWords(ref)).join(" and ");
      const thing = meaning.isValues
        ? shown
        : `${spokenName(base.name)}${shown === "" ? "" : ` with ${shown}`}`;
      if (meaning.by === null) return `${thing}${tail}`;
      const isDate = meaning.by.e === "col" && meaning.by.ref.col.kind === "date";
      const end = isDate
        ? meaning.order === "least"
          ? "earliest"
          : "latest"
        : meaning.order === "least"
          ? "lowest"
          : "highest";
      const name = exprWords(meaning.by);
      if (meaning.ranks === 1) {
        const own = `${singular(spokenName(base.name))}${shown === "" ? "" : ` (with its ${shown})`}`;
        return `${meaning.isValues ? shown : own} with the ${end} ${name}${tail}`;
      }
      if (meaning.ranks !== null)
        return `${meaning.order === "least" ? "bottom" : "top"} ${meaning.ranks} ${thing} by ${name}${tail}`;
      return `${thing} by ${name}${tail}, ${end} first`;
    }
    case "share":
      return `share of ${figureWords(meaning.figure, base)}${filterWords(meaning.focus)}${tail === "" ? "" : `, of all${tail}`}`;
    case "exists":
      return `whether there are ${spokenName(base.name)}${tail}`;
    case "sides":
      return `${figureWords(meaning.figure, base)}${tail}: ${meaning.sides.map(({ name }) => name).join(" and ")}, each with its difference to the other`;
    case "mean":
      return `average per ${groupWords(meaning.per)} of ${figureWords(meaning.figure, base)}${tail}`;
    default:
      return meaning satisfies never;
  }
}

function figureWords({ agg, expr }: Figure, base: Tab): string {
  if (expr === null) return `number of ${spokenName(base.name)}`;
  const name = exprWords(expr);
  if (agg === "distinct") return `number of different ${name}`;
  const over = expr.e === "col" && expr.ref.col.table !== base.name ? ` over ${spokenName(base.name)}` : "";
  return `${AGGREGATES[agg]} ${name}${over}`;
}

function exprWords(expr: Expr): string {
  switch (expr.e) {
    case "col":
      return refWords(expr.ref);
    case "product":
      return `${refWords(expr.left)} times ${refWords(expr.right)}`;
    case "plus":
      return expr.refs.map(refWords).join(" plus ");
    case "days":
      return `days from ${refWords(expr.from)} to ${refWords(expr.to)}`;
    default:
      return expr satisfies never;
  }
}

function refWords({ col, by }: Ref): string {
  const name = spokenName(shownName(col));
  return by === null || by === col ? name : `${name} (${spokenName(by.name)})`;
}

function groupWords(group: Group): string {
  if (group.g === "bucket") return group.bucket;
  const shown = (group.shown ?? []).map(refWords).join(", ");
  return `${refWords(group.ref)}${shown === "" ? "" : ` (with its ${shown})`}`;
}

function filterWords(filters: readonly Filter[]): string {
  if (filters.length === 0) return "";
  return `, where ${filters.map(conditionWords).join(" and ")}`;
}

function conditionWords(filter: Filter): string {
  switch (filter.t) {
    case "in":
      return `${refWords(filter.ref)} is ${filter.not ? "not " : ""}${filter.values.join(" or ")}`;
    case "number":
      return filter.to === null
        ? `${refWords(filter.ref)} is ${signWords(filter.sign)} ${formatNamed(filter.ref.col.name, filter.value)}`
        : `${refWords(filter.ref)} is between ${filter.value} and ${filter.to}`;
    case "empty":
      return filter.not ? `${refWords(filter.ref)} is known` : `${refWords(filter.ref)} is empty`;
    case "time":
      return `${refWords(filter.ref)} is ${filter.not ? "not " : ""}${filter.spans.map(({ name }: Span) => name).join(" or ")}`;
    case "weekday":
      return `${refWords(filter.ref)} is ${filter.not ? "not " : ""}a ${filter.days.map((day) => WEEKDAYS[day]).join(" or ")}`;
    case "columns":
      return `${refWords(filter.left)} is ${signWords(filter.sign)} ${refWords(filter.right)}`;
    case "days":
      return `the days from ${refWords(filter.from)} to ${refWords(filter.to)} are ${signWords(filter.sign)} ${filter.value}`;
    case "exists": {
      const inner = filterWords(filter.filters);
      return `there ${filter.not ? "are no" : "are"} ${spokenName(filter.link.from)} of it${inner}`;
    }
    default:
      return filter satisfies never;
  }
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

function signWords(sign: string): string {
  const words: Readonly<Record<string, string>> = {
    ">": "above",
    "<": "below",
    ">=": "at least",
    "<=": "at most",
    "=": "equal to",
    "<>": "other than",
  };
  return words[sign] ?? sign;
}
