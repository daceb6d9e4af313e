/** How a later question points back: `its top products`, `in that region`. */
import { stemsOf } from "../text/words.ts";
import type { Antecedent, Filter, Question } from "./question.ts";

const PRONOUN = /\b(its|their|it|they|them|there|those|these)\b/i;

export function isLinked(clause: string, question: Question): boolean {
  if (question.focus.length > 0) return PRONOUN.test(clause);
  if (question.groupBy.length === 0) return question.filters.length > 0 && PRONOUN.test(clause);
  if (question.order === "label") return false;
  return PRONOUN.test(clause) || namesAgain(clause, question);
}

/** `that region`, `the winning region`, `this product`. */
function namesAgain(clause: string, question: Question): boolean {
  const last = question.groupBy[0]?.words.at(-1);
  const pointed = [...clause.matchAll(/\b(?:that|this|the same|the winning|the leading)\s+(\p{L}+)/giu)];
  return last !== undefined && pointed.some((match) => stemsOf(match[1] ?? "")[0] === last);
}

/**
 * One winner is a reference to the first row of the earlier step, so this query waits for it; several
 * (`the top 3 regions and their products`) are a subquery, which waits for nothing.
 */
export function linkedFilter({ question, stepId }: Antecedent, clause: string): readonly Filter[] {
  if (question.focus.length > 0) return question.focus;
  const column = question.groupBy[0];
  if (column === undefined) return question.filters;
  const many = question.limit > 1 && question.limit < 20 && /\b(their|they|them|those|these)\b/i.test(clause);
  const kept = question.filters.filter(({ kind }) => kind !== "number");
  if (many) return [...kept, { kind: "among", column, question }];
  return [...kept, { kind: "first", column, ref: `${stepId}.output.rows[0].${column.name}` }];
}
