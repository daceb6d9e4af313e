/** Counts that would answer a different question from the one asked. */
import { stem, stemsOf, wordsOf } from "../text/words.ts";
import { piecesColumn } from "./figures.ts";
import type { Question } from "./question.ts";
import type { Table } from "./tables.ts";

/** Why a count does not answer the question, or why a question about a count gets a different figure; null otherwise. */
export function doubtfulCount(clause: string, question: Question): string | null {
  const { figures, filters, table } = question;
  const other = otherThanAsked(clause, question);
  if (other !== null) return other;
  const yesNo = figures.find(
    ({ aggregate, column }) => aggregate === "distinct" && column?.truth !== undefined,
  );
  // For `regular donors`, a yes/no column always has two values.
  if (yesNo !== undefined) return `what “${yesNo.column?.name ?? ""}” is counted of`;
  const noun = /^\s*how many\s+(?:different\s+)?(\p{L}+)/iu.exec(clause)?.[1];
  const counted = figures.some(({ aggregate, column }) => aggregate === "count" && column === null);
  if (noun === undefined || !counted || !hasPieces(table)) return null;
  const isValue = filters.some(
    (filter) => filter.kind === "values" && filter.values.some((value) => stem(value) === stem(noun)),
  );
  return isValue ? `whether “${noun}” are counted in pieces or in rows of ${table.name}` : null;
}

/** `the total of the expenses` is not their number, and `how many orders` is not an `order_total`. */
function otherThanAsked(clause: string, { figures, shape, table }: Question): string | null {
  if (shape !== "figures") return null;
  const isSum = /\b(?:total|sum) of (?:(?:the|all|our|these) )*(?!number\b)/i.test(clause);
  const hasAmounts = table.columns.some(({ kind, adds }) => kind === "measure" && adds !== "rate");
  if (isSum && hasAmounts && figures.some(({ aggregate }) => aggregate === "count"))
    return "whether a number or an amount is meant";
  const noun = /^\s*(?:how many|(?:the )?number of|count)\s+(?:the |all |of )*(\p{L}+)/iu.exec(clause)?.[1];
  const [figure, ...more] = figures;
  const column = more.length === 0 && figure?.aggregate === "sum" ? figure.column : null;
  if (noun === undefined || column === null) return null;
  // `how many orders`, of a table of orders with an `order_total`.
  const rows = [...table.words, ...(table.entity === null ? [] : stemsOf(table.entity))];
  const asked = stem(noun.toLowerCase());
  if (!rows.includes(asked) || stemsOf(column.name).at(-1) === asked) return null;
  return `whether “${noun}” are rows of ${table.name} or ${wordsOf(column.name).join(" ")}`;
}

function hasPieces(table: Table): boolean {
  const isOfPacks = table.columns.some(({ kind, name }) => kind === "measure" && PACKS.test(name));
  return isOfPacks || piecesColumn(table) !== null;
}

const PACKS = /(?:^|_)(?:crates|boxes|parcels|packages|bags|bottles|copies|trays)(?:_|$)/i;
