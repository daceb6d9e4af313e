/** Values of a table's columns in a clause: whole, in part (`tents`), or as a name that may be one. */
import { stem, stemsOf, wholePhrase, wordsOf } from "../text/words.ts";
import { isFunctionWord } from "./function-words.ts";
import type { Mark, Placed } from "./marks.ts";
import type { Column, Table } from "../data/tables.ts";

type Context = { readonly table: Table; readonly previous: Mark | null };

/** Among readings of equal length, a partial value has low priority. */
export const PART_RANK = 7;

const QUOTED = /["“]([^"”\n]{1,120})["”]|(?<![\p{L}\p{N}])'([^'\n]{2,80})'(?![\p{L}])/uy;
const NAME = /\p{Lu}[\p{L}\p{N}'&-]*(?:\s+[\p{Lu}\p{N}][\p{L}\p{N}'&-]*)*/uy;
const CODE = /(?=[\p{L}-]*\d)(?=[\d-]*\p{L})[\p{L}\p{N}-]{3,}/uy;

/** The value that begins at `at`: the longest whole one, else those that contain its words. */
export function valueAt(text: string, at: number, { table }: Context): Placed | null {
  QUOTED.lastIndex = at;
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return quotedValue(quoted[1] ?? quoted[2] ?? "", at + quoted[0].length, table);
  const whole = wholeValueAt(text, at, table);
  if (whole !== null) return whole;
  return (
    doneValueAt(text, at, table) ??
    partOfValues(text, at, table) ??
    codeAt(text, at, table) ??
    nameAt(text, at, table)
  );
}

function quotedValue(value: string, end: number, table: Table): Placed | null {
  const exact = wholeValueAt(value, 0, table);
  if (exact !== null && exact.end === value.length) return { ...exact, end };
  const columns = openColumns(table);
  if (columns.length === 0) return { mark: { letter: "?", text: value, isQuoted: true }, end, rank: 0 };
  return { mark: { letter: "F", text: value, values: [value] }, end, rank: 0 };
}

/** `students from Milbury`: those whose town it is. */
const OWNER =
  /(\p{L}+)\s+(?:(?:who |that )?(?:live|lives|living|are|is|based|located)\s+)?(?:from|in|of|at)\s+(?:the\s+)?$/iu;

type Hit = {
  readonly column: Column;
  readonly value: string;
  readonly length: number;
  readonly exact: boolean;
};

function wholeValueAt(text: string, at: number, table: Table): Placed | null {
  const rest = text.slice(at, at + 130);
  const hits = valueColumns(table).flatMap((column): Hit[] =>
    column.samples.flatMap((value) => {
      const length = matchLength(rest, value);
      return length === null ? [] : [{ column, value, length, exact: rest.startsWith(value) }];
    }),
  );
  const longest = Math.max(0, ...hits.map(({ length }) => length));
  const best = hits.filter(({ length }) => length === longest);
  if (best.length === 0) return null;
  const exact = best.filter((hit) => hit.exact);
  const kept = exact.length > 0 ? exact : best;
  const columns = [...new Set(kept.map(({ column }) => column))];
  const end = at + longest;
  const shown = rest.slice(0, longest);
  const [column] = columns;
  if (column === undefined) return null;
  // `from Market`, if one column is named from_station and another to_station.
  const before = /([\p{L}]+)\s+(?:the\s+)?$/u.exec(text.slice(0, at))?.[1]?.toLowerCase();
  const owner = OWNER.exec(text.slice(0, at))?.[1];
  const told = columns.filter(
    ({ name, joined }) =>
      (before !== undefined && wordsOf(name).includes(before)) ||
      (owner !== undefined &&
        joined !== undefined &&
        stemsOf(joined.table).join() === stem(owner.toLowerCase())),
  );
  const [one] = told;
  if (columns.length > 1 && one !== undefined && told.length === 1)
    return {
      mark: {
        letter: "V",
        text: shown,
        column: one,
        values: kept.filter((hit) => hit.column === one).map(({ value }) => value),
      },
      end,
      rank: 0,
    };
  if (columns.length > 1) {
    return { mark: { letter: "!", text: shown, choices: columns.map(({ name }) => name) }, end, rank: 0 };
  }
  const values = [...new Set(kept.map(({ value }) => value))];
  return { mark: { letter: "V", text: shown, column, values }, end, rank: 0 };
}

/** `passed`, for a column with `Pass` and `Fail`. */
function doneValueAt(text: string, at: number, table: Table): Placed | null {
  const word = /^\p{L}{3,}ed(?![\p{L}\p{N}])/iu.exec(text.slice(at, at + 40))?.[0];
  if (word === undefined) return null;
  const root = stem(word.toLowerCase());
  const hits = valueColumns(table)
    .filter(({ complete }) => complete)
    .flatMap((column) =>
      column.samples
        .filter((value) => /^\p{L}+$/u.test(value) && stem(value.toLowerCase()) === root)
        .map((value) => ({ column, value })),
    );
  const [hit, ...others] = hits;
  if (hit === undefined || others.length > 0) return null;
  return {
    mark: { letter: "V", text: word, column: hit.column, values: [hit.value] },
    end: at + word.length,
    rank: PART_RANK,
  };
}

/** The length of a value, or of its plural, at the beginning of a text; ignores case, matches whole words. */
function matchLength(text: string, value: string): number | null {
  if (value.length < 2 || !/\p{L}/u.test(value)) return null;
  const direct = new RegExp(`^${wholePhrase(value).source}`, "iu").exec(text);
  if (direct !== null) return direct[0].length;
  const plural = new RegExp(
    `^${RegExp.escape(value).replaceAll("\\x20", "\\s+")}(?:e?s)?(?![\\p{L}\\p{N}])`,
    "iu",
  ).exec(text);
  if (plural !== null) return plural[0].length;
  const singular = value.replace(/(?<=[^su])s$/i, "");
  if (singular === value || singular.length < 4) return null;
  return new RegExp(`^${RegExp.escape(singular)}(?![\\p{L}\\p{N}])`, "iu").exec(text)?.[0].length ?? null;
}

/** `gas stove`: all values with these words, if they are in one column; none if they are in several. */
function partOfValues(text: string, at: number, table: Table): Placed | null {
  const words = [...text.slice(at, at + 130).matchAll(/[\p{L}\p{N}]+/gu)].map((match) => ({
    stem: stem(match[0].toLowerCase()),
    end: at + match.index + match[0].length,
    start: match.index,
    word: match[0],
  }));
  const [first] = words;
  if (first === undefined || first.start !== 0 || first.word.length < 2 || isFunctionWord(first.word))
    return null;
  let kept = holding(table, [first.stem]);
  if (kept.length === 0) return null;
  let used = 1;
  for (let count = 2; count <= Math.min(words.length, 6); count++) {
    const narrower = holding(
      table,
      words.slice(0, count).map((word) => word.stem),
    );
    if (narrower.length === 0) break;
    kept = narrower;
    used = count;
  }
  // A single word is a value if it is its noun (`jackets`) or written as a name (`Ridgeline`), as the first word always is.
  const isName =
    at > 0 &&
    /^\p{Lu}/u.test(first.word) &&
    kept.every(({ value }) => wordsOf(value)[0] === first.word.toLowerCase());
  // `repaired` does not mean `button repair`, and in a table of repairs `repair` does not either.
  const isOther = /(?:ed|ing)$/i.test(first.word) || table.words.includes(first.stem);
  if (
    used === 1 &&
    isOther &&
    !kept.every(
      ({ value }) => wordsOf(value).includes(first.word.toLowerCase()) && !table.words.includes(first.stem),
    )
  )
    return null;
  if (used === 1 && !isName && !kept.every(({ value }) => nounOf(value) === first.stem)) return null;
  // `machines` does not only mean the `Espresso Machine` of a column `machine_type`.
  if (used === 1 && !isName && kept.some(({ column }) => column.words.includes(first.stem))) return null;
  const end = words[used - 1]?.end ?? first.end;
  const columns = [...new Set(kept.map(({ column }) => column))];
  const shown = text.slice(at, end);
  const [column] = columns;
  if (column === undefined) return null;
  if (columns.length > 1)
    return {
      mark: { letter: "!", text: shown, choices: columns.map(({ name }) => name) },
      end,
      rank: PART_RANK,
    };
  return {
    mark: { letter: "V", text: shown, column, values: kept.map(({ value }) => value) },
    end,
    rank: PART_RANK,
  };
}

/** The last word that is not a size: `tent` of `Ridgeline Tent 2P`. */
function nounOf(value: string): string {
  const words = value.match(/[\p{L}\p{N}]+/gu) ?? [];
  return stem((words.findLast((word) => !/\d/.test(word)) ?? "").toLowerCase());
}

function holding(table: Table, stems: readonly string[]): { column: Column; value: string }[] {
  // If a column has more values than are known, others could contain these words too.
  const known = valueColumns(table).filter(({ complete }) => complete);
  return known.flatMap((column) =>
    column.samples
      .filter((value) => {
        const own = stemsOf(value);
        return own.length > 1 && stems.every((word) => own.includes(word));
      })
      .map((value) => ({ column, value })),
  );
}

/** `SO-10023`: the key of one row. */
function codeAt(text: string, at: number, table: Table): Placed | null {
  const ids = table.columns.filter(
    ({ kind, samples }) => kind === "id" && samples.some((sample) => /\p{L}/u.test(sample)),
  );
  CODE.lastIndex = at;
  const match = CODE.exec(text);
  if (match === null || ids.length === 0) return null;
  return { mark: { letter: "F", text: match[0], values: [match[0]] }, end: at + match[0].length, rank: 6 };
}

/** A capitalized name, not at the beginning of the clause, for a table whose columns have more values than are known. */
function nameAt(text: string, at: number, table: Table): Placed | null {
  if (openColumns(table).every(({ kind }) => kind === "id") || at === 0) return null;
  NAME.lastIndex = at;
  const match = NAME.exec(text);
  if (match === null) return null;
  const name = match[0].replace(/'s?$/, "");
  if (wordsOf(name).every((word) => word.length < 2)) return null;
  return { mark: { letter: "F", text: name, values: [name] }, end: at + match[0].length, rank: 8 };
}

function valueColumns(table: Table): readonly Column[] {
  return table.columns.filter(({ kind, truth }) => kind === "dimension" && truth === undefined);
}

/** Columns that can have values that occur in no sample. */
export function openColumns(table: Table): readonly Column[] {
  return table.columns.filter(
    ({ kind, complete, samples }) =>
      (kind === "dimension" && !complete && samples.length >= 5) || kind === "id",
  );
}
