/** A data question in words, for the step's description; the answer builds on them. */
import { alias } from "../data/sql-parts.ts";
import { periodName } from "../data/read-period.ts";
import type { Filter, Question } from "../data/question.ts";
import { spokenName } from "../text/format-value.ts";

export function describeQuestion(question: Question): string {
  const { shape, groupBy, bucket, order, limit } = question;
  const figure = figureName(question);
  const groups = [...groupBy.map(({ name }) => spokenName(name)), ...(bucket === null ? [] : [bucket])].join(
    " and ",
  );
  const by = groups === "" ? "" : ` by ${groups}`;
  const tail = `${periodWords(question)}${filterWords(question.filters)}`;
  const rank = order === "least" ? "lowest first" : "highest first";
  switch (shape) {
    case "growth":
      return `Growth of ${figure}${by}${tail}${order === "label" || groups === "" ? "" : order === "least" ? ", slowest first" : ", fastest first"}`;
    case "share":
      return `Share of ${figure}${by}${tail}`;
    case "rows":
      return `Rows of ${question.table.name}${tail}${question.measure === null ? "" : `, ${rank} by ${figure}`}, at most ${limit}`;
    case "values":
      return `The values of ${groups}${tail}`;
    case "totals":
      if (question.aggregate === "distinct")
        return `Number of different ${spokenName(groupBy[0]?.name ?? "values")}${tail}`;
      if (groupBy.length > 0 && limit < 20)
        return `${order === "least" ? "Bottom" : "Top"} ${limit} ${namesOf(groupBy)} by ${figure}${tail}`;
      return `${figure.charAt(0).toUpperCase()}${figure.slice(1)}${by}${tail}${groups === "" || order === "label" ? "" : `, ${rank}`}`;
    default:
      return shape satisfies never;
  }
}

function namesOf(columns: Question["groupBy"]): string {
  return columns.map(({ name }) => plural(spokenName(name))).join(" and ");
}

function plural(word: string): string {
  if (/s$/i.test(word)) return word;
  return /[^aeiou]y$/i.test(word) ? `${word.slice(0, -1)}ies` : `${word}s`;
}

function figureName(question: Question): string {
  const { aggregate, measure, entity } = question;
  if (measure === null || aggregate === "count" || aggregate === "distinct")
    return `number of ${entity ?? "row"}s`;
  return spokenName(alias(question));
}

function periodWords({ periods, shape, lag, bucket }: Question): string {
  const names = periods.map(periodName);
  if (shape !== "growth" || bucket !== null) return names.length === 0 ? "" : ` in ${names.join(" and ")}`;
  if (names.length > 1) return `, ${names.at(-1)} against ${names[0]}`;
  const period = names[0] ?? "the latest period";
  return `, ${period} against the ${lag === "year" ? "same period a year earlier" : "period before"}`;
}

function filterWords(filters: readonly Filter[]): string {
  const words = filters.map((filter) => {
    if (filter.kind === "anywhere") return filter.values.map((value) => `“${value}”`).join(" or ");
    const name = spokenName(filter.column.name);
    if (filter.kind === "values") return `${name} ${filter.values.join(" or ")}`;
    if (filter.kind === "number") return `${name} ${filter.sign} ${filter.value}`;
    return filter.kind === "first" ? `the ${name} found first` : `the ${name}s found`;
  });
  return words.length === 0 ? "" : ` for ${words.join(", ")}`;
}
