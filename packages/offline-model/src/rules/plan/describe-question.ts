/** A data question as text: how the goal was understood. The answer begins with it. */
import { alias, weekdayNames } from "../sql/sql-parts.ts";
import type { Figure, Filter, Question } from "../data/question.ts";
import { momentName } from "../data/read-moment.ts";
import { spanName } from "../data/read-times.ts";
import { sideName } from "../sql/contrast-sql.ts";
import { formatNamed, formatValue, spokenName } from "../text/format-value.ts";

export function describeQuestion(question: Question): string {
  const text = sentence(question);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(question: Question): string {
  const { shape, figures, order, ranks, table, focus, orderBy } = question;
  const named = figures.map((figure) => figureName(figure, question)).join(" and ");
  const groups = groupsOf(question);
  const by = groups === "" ? "" : ` by ${groups}`;
  const tail = tailOf(question);
  const rank = order === "least" ? "lowest first" : "highest first";
  switch (shape) {
    case "growth":
      return `${question.only === null ? "growth" : question.only === "grew" ? "increase" : "decline"} of ${named}${by}${tail}${question.only === null ? "" : `, only where it ${question.only}`}${order === "label" || groups === "" || question.bucket !== null ? "" : order === "least" ? ", slowest first" : ", fastest first"}`;
    case "share":
      return `share of ${named}${by}${tail}`;
    case "part":
      return `share of ${named}${filterWords(focus)}${tail === "" ? "" : `, of all${tail}`}`;
    case "contrast":
      return `difference in ${named} between ${focus.map(sideName).join(" and ")}${tail}`;
    case "groups":
      return `number of ${plural(groups)}${tail}`;
    case "average":
      return `average of ${figureName(withoutMean(figures[0]), question)} per ${question.bucket ?? groups}${groupsBeside(question)}${tail}${question.bucket === "day" ? ", over the calendar days of that time in the data" : ""}`;
    case "rows":
      return rowsSentence(question, tail);
    case "values":
      return `the values of ${groups}${tail}`;
    case "figures":
      if (figures[0]?.aggregate === "distinct")
        return `number of different ${plural(spokenName(figures[0].column?.name ?? "value"))}${tail}`;
      if (ranks !== null && groups !== "") return rankSentence(question, { named, groups, tail });
      return `${named}${by}${onlyThoseWith(question)}${tail}${groups === "" || order === "label" || orderBy !== null ? "" : `, ${rank}`}${eachWords(question)}`;
    default:
      return `${table.name}: ${String(shape satisfies never)}`;
  }
}

/** Counted over referring rows: groups that no row refers to are missing. */
function onlyThoseWith({ figures, groupBy }: Question): string {
  const isOfOthers = groupBy.some(({ joined }) => joined !== undefined);
  return isOfOthers && figures[0]?.aggregate === "count" ? " that has any" : "";
}

type Words = { readonly named: string; readonly groups: string; readonly tail: string };

function rankSentence(question: Question, { named, groups: all, tail: rest }: Words): string {
  const { ranks, order, onlyRank, within, isWithinTime, groupBy, bucket } = question;
  const each = [...within.map(({ name }) => spokenName(name)), ...(isWithinTime ? [bucket ?? ""] : [])];
  const ranked = groupBy.filter((column) => !within.includes(column)).map(({ name }) => spokenName(name));
  const groups =
    each.length === 0 ? all : [...ranked, ...(isWithinTime || bucket === null ? [] : [bucket])].join(" and ");
  const tail = `${each.length === 0 ? "" : ` in each ${each.join(" and ")}`}${rest}`;
  const end = order === "least" ? "lowest" : "highest";
  const [figure] = question.figures;
  if (!onlyRank && figure?.column && (figure.aggregate === "highest" || figure.aggregate === "lowest")) {
    const single = `${spokenName(figure.column.name)} of one ${question.table.entity ?? "row"}`;
    return ranks === 1
      ? `${groups} with the ${end} ${single}${tail}`
      : `top ${ranks} ${plural(groups)} by the ${end} ${single}${tail}`;
  }
  if (onlyRank) return `${groups} with the ${ordinal(ranks ?? 1)} ${end} ${named}${tail}`;
  if (ranks === 1) return `${groups} with the ${end} ${named}${tail}`;
  return `${order === "least" ? "bottom" : "top"} ${ranks} ${plural(groups)} by ${named}${tail}${question.isTogether ? TOGETHER : ""}`;
}

/** `average revenue per month by region`. */
function groupsBeside({ bucket, groupBy }: Question): string {
  if (bucket === null || groupBy.length === 0) return "";
  return ` by ${groupBy.map(({ name }) => spokenName(name)).join(" and ")}`;
}

const TOGETHER = ", each and together";

function rowsSentence({ table, orderBy, shown, order, ranks, onlyRank }: Question, tail: string): string {
  const row = table.entity ?? "row";
  const thing =
    shown.length === 0 ? row : `${shown.map(({ name }) => spokenName(name)).join(" and ")} of the ${row}`;
  if (orderBy === null) return `${plural(thing)}${tail}`;
  const isDate = orderBy.kind === "date";
  const end = isDate ? (order === "least" ? "earliest" : "latest") : order === "least" ? "lowest" : "highest";
  const name = spokenName(orderBy.name);
  if (onlyRank) return `${thing} with the ${ordinal(ranks ?? 1)} ${end} ${name}${tail}`;
  if (ranks === 1) return `${thing} with the ${end} ${name}${tail}`;
  if (ranks !== null)
    return `${isDate ? end : order === "least" ? "bottom" : "top"} ${ranks} ${plural(thing)} by ${name}${tail}`;
  return `${plural(thing)} by ${name}${tail}, ${end} first`;
}

function ordinal(rank: number): string {
  return ["", "first", "second", "third", "fourth", "fifth"][rank] ?? `${rank}th`;
}

function withoutMean(figure: Figure | undefined): Figure {
  if (figure === undefined) return { aggregate: "count", column: null };
  return figure.aggregate === "average" ? { ...figure, aggregate: "sum" } : figure;
}

function groupsOf({ groupBy, bucket, figures }: Question): string {
  if (figures[0]?.aggregate === "distinct") return "";
  return [...groupBy.map(({ name }) => spokenName(name)), ...(bucket === null ? [] : [bucket])].join(" and ");
}

/** Values or times joined by `and` are reported separately and together. */
function eachWords({ figures, filters, groupBy, bucket, having }: Question): string {
  const [figure] = figures;
  if (
    having.length > 0 ||
    figures.length !== 1 ||
    (figure?.aggregate !== "count" && (figure?.aggregate !== "sum" || figure.column?.adds !== "flow"))
  )
    return "";
  const listed = filters.some((filter) => {
    if (filter.kind === "values")
      return !filter.negated && filter.values.length > 1 && groupBy.includes(filter.column);
    return filter.kind === "time" && !filter.negated && filter.spans.length > 1 && bucket !== null;
  });
  return listed && groupBy.length + (bucket === null ? 0 : 1) === 1 ? TOGETHER : "";
}

export function plural(words: string): string {
  if (/s$/i.test(words)) return words;
  if (/[^aeiou]y$/i.test(words)) return `${words.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/i.test(words) ? `${words}es` : `${words}s`;
}

function figureName(figure: Figure, { table, shape }: Question): string {
  const { aggregate, column } = figure;
  if (column === null || aggregate === "count") return `number of ${plural(table.entity ?? "row")}`;
  if (shape === "growth" && aggregate === "sum") return spokenName(column.name);
  return spokenName(alias(figure, table));
}

function tailOf(question: Question): string {
  const { filters, having, shape, bucket } = question;
  const times = filters.flatMap((filter) => (filter.kind === "time" ? [filter] : []));
  const wanted = times
    .filter(({ negated }) => !negated)
    .map(({ spans }) => ` ${spans.map(spanName).join(" and ")}`);
  const left = times
    .filter(({ negated }) => negated)
    .map(
      ({ spans }) =>
        `, without ${spans.map((span) => spanName(span).replace(/^(?:in|on) /, "")).join(" and ")}`,
    );
  const bounds = having.map(
    ({ figure, sign, value }) => ` with ${figureName(figure, question)} ${SIGNS[sign]} ${formatValue(value)}`,
  );
  const growth = shape === "growth" && bucket === null ? growthTimes(question) : "";
  return `${wanted.join("")}${filterWords(filters)}${left.join("")}${bounds.join("")}${growth}`;
}

function growthTimes({ times, lag }: Question): string {
  const names = times.map(momentName);
  if (names.length > 1) return `, ${names.at(-1)} against ${names[0]}`;
  return `, ${names[0] ?? "the latest quarter in the data"} against the ${lag === "year" ? "same period a year earlier" : "period before"}`;
}

const SIGNS = {
  ">": "above",
  "<": "below",
  ">=": "of at least",
  "<=": "of at most",
  "=": "of",
  "<>": "other than",
} as const;

function filterWords(filters: readonly Filter[]): string {
  const wanted: string[] = [];
  const left: string[] = [];
  for (const filter of filters) {
    switch (filter.kind) {
      case "values": {
        const words = `${spokenName(filter.column.name)} ${filter.values.join(" or ")}`;
        if (filter.negated) left.push(words);
        else wanted.push(words);
        break;
      }
      case "number":
        wanted.push(
          filter.orNone === true
            ? `no ${spokenName(filter.column.name)} (${filter.isZeroSome === true ? "empty" : "none or 0"})`
            : filter.isSome === true && filter.column.kind === "date"
              ? `${spokenName(filter.column.name)} given`
              : filter.others !== undefined
                ? `${spokenName(filter.column.name)} of ${[filter.value, ...filter.others].map((value) => formatNamed(filter.column.name, value)).join(" or ")}`
                : `${spokenName(filter.column.name)} ${SIGNS[filter.sign]} ${formatNamed(filter.column.name, filter.value)}`,
        );
        break;
      case "weekday":
        (filter.negated ? left : wanted).push(weekdayNames(filter.days));
        break;
      case "anywhere":
        wanted.push(filter.values.map((value) => `“${value}”`).join(" or "));
        break;
      case "childless":
        left.push(spokenName(filter.child.table));
        break;
      case "first":
        wanted.push(`the ${spokenName(filter.column.name)} found first`);
        break;
      case "among":
        wanted.push(`the ${plural(spokenName(filter.column.name))} found`);
        break;
      case "time":
        break;
      default:
        filter satisfies never;
    }
  }
  const without = left.length === 0 ? "" : `, without ${left.join(", ")}`;
  return `${wanted.length === 0 ? "" : ` for ${wanted.join(", ")}`}${without}`;
}
