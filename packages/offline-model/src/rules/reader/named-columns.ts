/** The columns that a follow-up names, of the rows that the first question found; every word is accounted for. */
import { kindsOf } from "../words/general-words.ts";
import { sensesAt } from "../words/lexicon.ts";
import type { Meaning, Ref } from "./meaning.ts";
import { figuresShown } from "./echo.ts";
import { isNumber } from "./said.ts";
import { type Col, pathsBetween, type Schema, type Tab } from "./schema.ts";
import { type Token, tokensOf } from "../words/tokens.ts";

export type Named = {
  readonly refs: readonly Ref[];
  /** The figure that is shown anyway is named too. */
  readonly isFigureNamed: boolean;
};

type Given = {
  readonly lead: readonly Token[];
  readonly schema: Schema;
  readonly source: string;
  /** The table of the current rows. */
  readonly rows: Tab | null;
  readonly first: Meaning;
};

const IT = "(?:it|that|this|they|those|these|he|she|them)";
const BE = "(?:is|are|was|were)";
const EACH = "(?:(?:for|of|in|on|at) (?:each|each of them|them|it|all of them|those))";

/** Null when the words are not such a follow-up. */
export function namedIn(text: string, given: Given): Named | null {
  const { rows } = given;
  const phrase = phraseOf(text);
  if (rows === null) return phrase === null ? null : columnsNamed(phrase, given);
  const only = (cols: readonly Col[]): Named | null => {
    const [col, ...others] = cols;
    return col === undefined || others.length > 0
      ? null
      : { refs: [{ col, by: null }], isFigureNamed: false };
  };
  const adjective = new RegExp(`^how (\\p{L}+) ${BE} ${IT}$`, "iu").exec(text)?.[1];
  if (adjective !== undefined) {
    const kinds = kindsOf(adjective);
    if (kinds === null) return null;
    return only(
      rows.cols.filter(
        (col) =>
          isNumber(col) &&
          (col.words.some((word) => kinds.includes(word)) || (col.unit !== null && kinds.includes(col.unit))),
      ),
    );
  }
  const when = new RegExp(`^when (?:${BE}|did|does|do|has|have|had) ${IT}(?: (.+))?$`, "iu").exec(text);
  if (when !== null) return only(datesOf(rows, when[1], given));
  if (
    new RegExp(
      `^(?:for whom|by whom|with whom|whose ${BE} ${IT}|who ${BE} ${IT} (?:for|by|with)|who (?:made|has|had|have|did|ordered|booked|got|took) ${IT})$`,
      "i",
    ).test(text)
  )
    return only(personsOf(rows, given.schema));
  return phrase === null ? null : columnsNamed(phrase, given);
}

/** The words that name columns: `what is its rate`, `with the date and the plant`. */
function phraseOf(text: string): string | null {
  const patterns = [
    `^(?:what|which|who) ${BE} (?:the|its|their|his|her) (.+?)(?: ${EACH})?$`,
    `^(?:(?:in|on|at|from|to|of|for|by|with) )?(?:what|which) (.+?)(?: ${BE} ${IT}(?: (?:in|on|at|from|for|of|by))?| (?:do|did|does) (?:we|you|they|it|he|she) (?:ask|charge|have|get)(?: ${EACH})?)?$`,
    `^how (?:much|high|large|big) ${BE} (?:the|its|their|his|her) (.+?)(?: ${EACH})?$`,
    `^(?:with|including) (?:the|its|their|his|her) (.+?)(?: ${EACH})?$`,
    `^(?:(?:please|also) )*(?:give|list|show|tell|name|include|state|add|say)(?: me| us)?(?: also)? (?:the|its|their|his|her) (.+?)(?: ${EACH}| too| as well)?$`,
  ];
  for (const pattern of patterns) {
    const phrase = new RegExp(pattern, "iu").exec(text)?.[1];
    if (phrase !== undefined) return phrase;
  }
  return null;
}

function datesOf(rows: Tab, verb: string | undefined, { schema, source }: Given): readonly Col[] {
  const dates = rows.cols.filter(({ kind }) => kind === "date");
  if (verb === undefined) return dates.filter(({ words }) => !words.includes("birth"));
  const tokens = tokensOf(verb);
  const named = tokens.map((_, at) => sensesAt({ tokens, schema, source }, at));
  return dates.filter((col) =>
    named.every((senses) =>
      senses.some((chunk) => chunk.k === "col" && chunk.col === col && chunk.cost <= 0.8),
    ),
  );
}

/** The columns that name a person or refer to one. */
function personsOf(rows: Tab, schema: Schema): readonly Col[] {
  return rows.cols.filter((col) => {
    if (rows.isPersons && rows.labels.includes(col)) return false;
    const link = schema.links.find(({ from, column }) => from === rows.name && column === col);
    const to = schema.tables.find(({ name }) => name === link?.to);
    return (col.isPerson && col.kind !== "number" && col.kind !== "date") || to?.isPersons === true;
  });
}

const AMOUNT = /^(?:amount|figure|total|sum)s?$/;
const COUNT = /^(?:figure|number|count)s?$/;

function columnsNamed(phrase: string, given: Given): Named | null {
  const tokens = tokensOf(phrase);
  const refs: Ref[] = [];
  let isFigureNamed = false;
  let isAfterNoun = false;
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    if (token === undefined) return null;
    const isLink = /^(?:and|the|its|their|his|her|also|our)$/.test(token.lower) || token.before.includes(",");
    if (/^(?:and|the|its|their|his|her|also|our)$/.test(token.lower)) {
      at += 1;
      isAfterNoun = false;
      continue;
    }
    if (isAfterNoun && !isLink) return null;
    const figure = figureAt(tokens, at, given);
    const found = columnsAt(tokens, at, given);
    if (figure !== null) {
      isFigureNamed = true;
      at = figure;
    } else if (found !== null) {
      refs.push(...found.cols.map((col): Ref => ({ col, by: null })));
      at = found.end;
    } else return null;
    isAfterNoun = true;
  }
  return { refs, isFigureNamed };
}

/** The end of words that name the figure which the answer shows anyway: `the amount`, or its column. */
function figureAt(tokens: readonly Token[], at: number, { first, schema, source }: Given): number | null {
  const [figure, ...others] = figuresShown(first);
  const isOfGroups = first.shape === "rows" || (first.shape === "figures" && first.groups.length > 0);
  if (figure === undefined || others.length > 0 || !isOfGroups) return null;
  const { expr } = figure;
  const own = sensesAt({ tokens, schema, source }, at).find(
    (chunk) => chunk.k === "col" && expr?.e === "col" && chunk.col === expr.ref.col && chunk.cost === 0,
  );
  if (own !== undefined) return own.end;
  return (expr === null ? COUNT : AMOUNT).test(tokens[at]?.lower ?? "") ? at + 1 : null;
}

/** A row that a key refers to is shown by its name too. */
function namesOf(col: Col, { links, tables }: Schema): readonly Col[] {
  const [link, ...others] = links.filter(({ from, column }) => from === col.table && column === col);
  const name = others.length > 0 ? undefined : tables.find((tab) => tab.name === link?.to)?.labels[0];
  const isOther =
    name !== undefined &&
    name !== link?.key &&
    links.filter(({ from, to }) => from === col.table && to === link?.to).length === 1;
  return isOther ? [name, col] : [col];
}

/** The columns named by the longest phrase that begins at a token, of the current rows or of rows that they refer to. */
function columnsAt(
  tokens: readonly Token[],
  at: number,
  { schema, source, rows }: Given,
): { cols: readonly Col[]; end: number } | null {
  if (rows === null) return null;
  const senses = sensesAt({ tokens, schema, source }, at);
  const reached = senses.flatMap((chunk) => {
    if (chunk.k !== "col" && chunk.k !== "ent" && chunk.k !== "bool") return [];
    const table = chunk.k === "ent" ? chunk.tab.name : chunk.col.table;
    const paths = pathsBetween(schema, rows.name, table);
    const [path] = paths;
    if (path === undefined || paths.length > 1) return [];
    const [label] = chunk.k === "ent" ? chunk.tab.labels : [];
    const cols = chunk.k === "ent" ? (label === undefined ? [] : [label]) : namesOf(chunk.col, schema);
    // A column's own name takes precedence over referenced rows, and these over a part of a name.
    const isPart = chunk.cost > 0.7;
    return [{ cols, end: chunk.end, cost: chunk.cost + 0.3 * path.length + (isPart ? 1 : 0) }];
  });
  const end = Math.max(0, ...reached.map((one) => one.end));
  const longest = reached.filter((one) => one.end === end);
  const cost = Math.min(...longest.map((one) => one.cost));
  const best = longest.filter((one) => one.cost <= cost + 0.05 && one.cols.length > 0);
  // The noun for the rows takes precedence over a key with the same name.
  const own = best.find(({ cols }) => cols[0] !== undefined && cols[0] === rows.labels[0]);
  if (own !== undefined) return own;
  const [only, ...others] = best;
  if (only === undefined || others.some(({ cols }) => cols[0] !== only.cols[0])) return null;
  return only;
}
