/**
 * Text to SQL, first half: which table a clause asks about, and what it asks.
 *
 * Every mark of the clause must be spent by exactly one part of the question. A word that is left over makes the
 * reading a failure that names it: otherwise an answer to a different question would look like an answer to this one.
 */
import { unaccounted } from "../marks/account-for-marks.ts";
import { assemble } from "./assemble.ts";
import { strayWords } from "../marks/known-forms.ts";
import type { Mark, MarkList } from "../marks/marks.ts";
import { type Antecedent, type Question, NotUnderstood } from "./question.ts";
import { readMarks } from "../marks/read-marks.ts";
import { stemsOf } from "../text/words.ts";
import type { Table } from "./tables.ts";

export type Interpretation =
  /** Several questions if a word has several meanings and each is answered. */
  | { readonly kind: "questions"; readonly questions: readonly Question[] }
  | {
      readonly kind: "refused";
      /** Unexplained words. */
      readonly words: readonly string[];
      /** Why known words do not form a question; null when `words` explains it. */
      readonly reason: string | null;
      /** How much of the clause the table explains. */
      readonly known: number;
    };

export type Context = {
  readonly tables: readonly Table[];
  readonly antecedent: Antecedent | null;
  readonly ignored: ReadonlySet<string>;
};

type Reading = {
  readonly table: Table;
  readonly result: Interpretation;
  /** How confidently the table explains the clause. */
  readonly score: number;
};

/** Known well enough to be refused without searching the documents. */
const SURE = 100;

export function interpret(clause: string, context: Context): Interpretation {
  const readings = context.tables.map((table) => readAgainst(clause, table, context));
  const whole = readings
    .filter(({ result }) => result.kind === "questions")
    .toSorted((a, b) => b.score - a.score);
  const [best, ...others] = whole;
  if (best !== undefined) {
    const next = others.find((other) => other.score === best.score && !isSamePlace(best, other));
    if (next === undefined) return best.result;
    const [one, other] = [best.table, next.table].map(({ source, name }) =>
      best.table.source === next.table.source ? name : source,
    );
    return refusal([], `it could be about ${one} or about ${other}`, SURE);
  }
  const nearest = readings.toSorted((a, b) => b.score - a.score)[0];
  return nearest?.result ?? refusal([], "there is no table", 0);
}

/** A table and the same one with its keys followed, the plain one first. */
function isSamePlace(one: Reading, other: Reading): boolean {
  return one.table.source === other.table.source && one.table.name === other.table.name;
}

function readAgainst(clause: string, table: Table, { antecedent, ignored }: Context): Reading {
  const said = asCount(clause);
  const marks = readMarks(antecedent === null ? withOwn(said) : said, table, ignored);
  const score = scoreOf(marks, table, antecedent);
  const ambiguous = marks.left("!");
  const unknown = marks.left("?");
  const [doubtful] = ambiguous;
  const refused = (words: readonly string[], why: string | null): Reading => ({
    table,
    score: score - words.length,
    result: refusal(words, why, score),
  });
  if (unknown.length > 0 || doubtful !== undefined) {
    const reason =
      doubtful === undefined ? null : `“${doubtful.text}” could be ${(doubtful.choices ?? []).join(" or ")}`;
    return refused(
      unknown.map(({ text }) => text),
      reason,
    );
  }
  try {
    const questions = assemble(marks, { table, antecedent, isFollowUp: /^\p{Ll}/u.test(clause) });
    const left = marks
      .left()
      .filter(({ letter }) => !/[W,]/.test(letter))
      .map(({ text }) => text);
    const unsaid =
      left.length > 0 ? left : questions.flatMap((question) => unaccounted(marks.marks, question));
    if (unsaid.length > 0) return refused(unsaid, null);
    const stray = questions
      .map((question) => strayWords(marks.marks, question))
      .find((words) => words !== null);
    if (stray !== undefined) return refused([], `how “${stray}” belongs to the rest`);
    return { table, score, result: { kind: "questions", questions } };
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    return { table, score: score - 1, result: refusal([], error.message, score) };
  }
}

/** `were there any rentals`: the count answers it. */
function asCount(clause: string): string {
  return clause
    .replace(/^\s*(?:are|is|were|was) there (?:any|some) /i, "How many ")
    .replace(/^\s*(?:do|did) we (?:have|get|sell|receive) any /i, "How many ")
    .replace(/\bnot\s+(\p{L}+)\s+at all\b/iu, "never $1");
}

/** `the three heaviest cats with their weights`, `except those of March` refer to nothing outside themselves. */
function withOwn(clause: string): string {
  return clause
    .replace(/(?<=\S\s+(?:with|as)\s+)(?:its|their)\s+/giu, "")
    .replace(
      /(?<=\b(?:except|excluding|without)\s+(?:for\s+)?)(?:those|the ones)\s+(?:of|for|by|with|in|from)\s+/giu,
      "",
    );
}

function refusal(words: readonly string[], reason: string | null, known: number): Interpretation {
  return { kind: "refused", words: [...new Set(words)], reason, known };
}

const WEIGHTS: Readonly<Record<string, number>> = {
  D: 2,
  M: 2,
  E: 2,
  V: 2,
  T: 1,
  A: 1,
  H: 1,
  K: 1,
  Y: 1,
  b: 1,
  P: 1,
};

/** `boats` primarily means the rows of the table of boats. */
function isOwnRow({ letter, column, text }: Mark, { label, words }: Table): boolean {
  const isRow = letter === "E" || (letter === "D" && column === label);
  return isRow && stemsOf(text).join() === words.join();
}

function scoreOf(marks: MarkList, table: Table, antecedent: Antecedent | null): number {
  const sum = marks
    .left()
    .reduce(
      (total, { letter, isLoose, isOwn }) =>
        total + (WEIGHTS[letter] ?? 0) - (isLoose === true ? 0.5 : 0) + (isOwn === true ? 0.5 : 0),
      !marks.has(/[Ps]/) && marks.marks.some((mark) => isOwnRow(mark, table)) ? 0.5 : 0,
    );
  // `how many customers` asks about the table of customers; with a time it could mean that of their orders.
  const isOpen = marks.has(/[Ps]/) && !marks.marks.some(({ letter }) => letter === "T");
  const joined = isOpen ? 0 : marks.left().filter(({ column }) => column?.joined !== undefined).length;
  const linked = antecedent?.question.table.from === table.from && marks.has(/[Jj]/) ? 3 : 0;
  return sum + linked - joined / 4;
}
