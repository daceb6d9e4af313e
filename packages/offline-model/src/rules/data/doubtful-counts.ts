/** Counts that would answer another question than the one that was asked. */
import { stem } from "../text/words.ts";
import { piecesColumn } from "./figures.ts";
import type { Question } from "./question.ts";
import type { Table } from "./tables.ts";

/** Why a count is not what was asked for; null when it is. */
export function doubtfulCount(clause: string, { figures, filters, table }: Question): string | null {
  const yesNo = figures.find(
    ({ aggregate, column }) => aggregate === "distinct" && column?.truth !== undefined,
  );
  // Of `regular donors`, a column of yes and no, there are always two.
  if (yesNo !== undefined) return `what “${yesNo.column?.name ?? ""}” is counted of`;
  const noun = /^\s*how many\s+(?:different\s+)?(\p{L}+)/iu.exec(clause)?.[1];
  const counted = figures.some(({ aggregate, column }) => aggregate === "count" && column === null);
  if (noun === undefined || !counted || !hasPieces(table)) return null;
  const isValue = filters.some(
    (filter) => filter.kind === "values" && filter.values.some((value) => stem(value) === stem(noun)),
  );
  return isValue ? `whether “${noun}” are counted in pieces or in rows of ${table.name}` : null;
}

function hasPieces(table: Table): boolean {
  const isOfPacks = table.columns.some(({ kind, name }) => kind === "measure" && PACKS.test(name));
  return isOfPacks || piecesColumn(table) !== null;
}

const PACKS = /(?:^|_)(?:crates|boxes|parcels|packages|bags|bottles|copies|trays)(?:_|$)/i;
