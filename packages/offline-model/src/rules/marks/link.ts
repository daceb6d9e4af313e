/** References from a later question to an earlier one: `its top products`, `in that region`. */
import type { MarkList } from "./marks.ts";
import { type Antecedent, type Filter, NotUnderstood } from "../data/question.ts";
import type { Column, Table } from "../data/tables.ts";

export type Link = {
  readonly filters: readonly Filter[];
  /** The grouping of the previous question that this one does not have. */
  readonly columns: readonly Column[];
};

function isPlainCondition(filter: Filter): boolean {
  if (filter.kind === "values") return !filter.negated && filter.values.length === 1;
  return filter.kind === "first" || filter.kind === "among" || filter.kind === "anywhere";
}

/**
 * Spends the words that refer back.
 *
 * A single winner is a reference to the first row of the earlier step, so this query waits for it; several (`the top 3
 * regions and their products`) are a subquery, which waits for nothing.
 *
 * @throws {NotUnderstood} When they refer to nothing.
 */
export function linkTo(marks: MarkList, antecedent: Antecedent | null, table: Table): Link | null {
  const pronouns = marks.takeAll(/J/).flat();
  const noun = marks.take(/j[DB]/);
  const word = pronouns[0] ?? noun?.[0];
  if (word === undefined) return null;
  if (antecedent === null || antecedent.question.table.from !== table.from)
    throw new NotUnderstood(`“${word.text}”, which points at nothing here`);
  const { question, stepId } = antecedent;
  const [column] = question.groupBy;
  if (noun !== null && noun[1]?.column !== column)
    throw new NotUnderstood(`“${noun.map(({ text }) => text).join(" ")}”`);
  if (question.shape === "share" && question.focus.length > 0)
    return { filters: question.focus, columns: question.groupBy };
  const kept = question.filters.filter(({ kind }) => kind !== "time");
  // `its`, of rows selected by a bound or an exception, would mean all of these conditions, and not only their values.
  if (kept.some((filter) => !isPlainCondition(filter)))
    throw new NotUnderstood(`“${word.text}”, which could be of some rows or of all`);
  if (column === undefined) {
    if (question.ranks !== null)
      throw new NotUnderstood(`“${word.text}”, which could be of one row or of several`);
    if (kept.length === 0) throw new NotUnderstood(`“${word.text}”, which points at nothing here`);
    return { filters: kept, columns: [] };
  }
  const isWinner = question.ranks === 1 || question.shape === "growth";
  if (isWinner && question.bucket === null) {
    const filter: Filter = { kind: "first", column, ref: `${stepId}.output.rows[0].${column.name}` };
    return { filters: [...kept, filter], columns: [column] };
  }
  if (question.ranks === null || question.bucket !== null)
    throw new NotUnderstood(`“${word.text}”, which could be each of several`);
  return { filters: [...kept, { kind: "among", column, question }], columns: [] };
}
