/** Which columns and values of a table a clause mentions. */
import { contentWords, stem, stemsOf, wholePhrase } from "../text/words.ts";
import { areSynonyms, isPlainWord, withoutLexicon } from "./lexicon.ts";
import type { Column, Table } from "./tables.ts";

export type Mention = {
  readonly column: Column /** 1 when the whole name is there. */;
  readonly strength: number;
};
export type ValueMention = { readonly column: Column; readonly value: string };

export type Mentions = {
  /** In the order of the clause. */
  readonly dimensions: readonly Mention[];
  readonly measure: Mention | null;
  readonly values: readonly ValueMention[];
  /** Names of several words that no sample shows, and the columns whose samples may not show all values. */
  readonly names: readonly string[];
  readonly nameColumns: readonly Column[];
  /** The clause speaks of the table's rows: by the table's name or by what its id column numbers. */
  readonly entity: string | null;
  /** Meaningful words that nothing in the table explains. */
  readonly unknownWords: readonly string[];
};

export function readMentions(clause: string, table: Table): Mentions {
  const values = valuesIn(clause, table);
  const unnamed = values.reduce((text, { value }) => text.replace(wholePhrase(value), " "), clause);
  const nameColumns = table.columns.filter(
    ({ kind, samples }) => kind === "dimension" && samples.length >= SAMPLES_ENOUGH,
  );
  const names = nameColumns.length === 0 ? [] : namesIn(unnamed);
  const rest = names.reduce((text, name) => text.replace(name, " "), unnamed);
  const stems = stemsOf(rest);
  const dimensions = table.columns
    .filter(({ kind }) => kind === "dimension")
    .flatMap((column) => {
      const strength = nameStrength(column, stems, (one, other) => one === other);
      return strength === 0 ? [] : [{ column, strength, at: firstPosition(column, stems) }];
    })
    .toSorted((a, b) => a.at - b.at);
  const clear = dimensions.filter(
    ({ column, strength }) => strength > 0.5 || !explainedByOther(column, dimensions),
  );
  const measure = strongest(
    table.columns.filter(({ kind }) => kind === "measure"),
    stems,
  );
  return {
    dimensions: clear,
    measure,
    values,
    names,
    nameColumns,
    entity: entityIn(stems, table),
    unknownWords: unknownWords(rest, [...clear, ...(measure === null ? [] : [measure])], table),
  };
}

function nameStrength(
  column: Column,
  stems: readonly string[],
  same: (one: string, other: string) => boolean,
): number {
  const hits = column.words.map((word) => stems.some((other) => same(word, other)));
  const matched = hits.filter(Boolean).length;
  if (matched === 0) return 0;
  if (matched === hits.length) return 1;
  // `segment` says customer_segment nearly as well as the whole name does; `customer` alone hardly.
  return hits.at(-1) === true ? 0.8 : 0.5;
}

function firstPosition(column: Column, stems: readonly string[]): number {
  return Math.min(...column.words.map((word) => stems.indexOf(word)).filter((index) => index >= 0));
}

/** A half-named column is not meant when another column has the same word as its whole name. */
function explainedByOther(column: Column, mentions: readonly Mention[]): boolean {
  return mentions.some(
    (other) => other.strength === 1 && column.words.some((word) => other.column.words.includes(word)),
  );
}

function strongest(measures: readonly Column[], stems: readonly string[]): Mention | null {
  const mentions = measures.flatMap((column) => {
    const exact = nameStrength(column, stems, (one, other) => one === other);
    const strength = exact > 0 ? exact : nameStrength(column, stems, areSynonyms) * 0.9;
    return strength === 0 ? [] : [{ column, strength }];
  });
  // `unit price` says more than `units`, which its first word names as well.
  return (
    mentions.toSorted(
      (a, b) => b.strength - a.strength || b.column.words.length - a.column.words.length,
    )[0] ?? null
  );
}

/** Values seen in samples, and words written beside a column's name: `region Central`, `the Central region`. */
function valuesIn(clause: string, table: Table): readonly ValueMention[] {
  const dimensions = table.columns.filter(({ kind }) => kind === "dimension");
  const seen = dimensions.flatMap((column) =>
    [...new Set(column.samples)]
      .filter((value) => value.length > 1 && /\p{L}/u.test(value) && wholePhrase(value).test(clause))
      .map((value) => ({ column, value })),
  );
  // A longer value explains the shorter ones inside it.
  const longest = seen.filter(
    ({ value }) =>
      !seen.some((other) => other.value.length > value.length && wholePhrase(value).test(other.value)),
  );
  const named = dimensions.flatMap((column) =>
    besideName(clause, column).map((value) => ({ column, value })),
  );
  const isNew = ({ value }: ValueMention) =>
    !longest.some((known) => wholePhrase(known.value).test(value) || wholePhrase(value).test(known.value));
  return [...longest, ...named.filter(isNew)];
}

/** Columns with this many samples may have more values. */
const SAMPLES_ENOUGH = 5;

/** `Alpine Down Jacket`: two words or more with capitals or digits, not the clause's beginning. */
function namesIn(clause: string): readonly string[] {
  const phrases = clause.matchAll(/(?<=\S\s)\p{Lu}[\p{L}\p{N}-]*(?:\s+[\p{Lu}\p{N}][\p{L}\p{N}-]*)+/gu);
  return [...phrases]
    .map((match) => match[0])
    .filter((phrase) => contentWords(phrase).some((word) => !isPlainWord(word)))
    .slice(0, 5);
}

function besideName(clause: string, column: Column): readonly string[] {
  const name = (column.name.split(/_|\s/).at(-1) ?? column.name).replace(/[^\p{L}\p{N}]/gu, "");
  if (name === "") return [];
  const value = `["“]([^"”]{1,80})["”]|((?:\\p{Lu}[\\p{L}\\p{N}&-]*)(?:\\s\\p{Lu}[\\p{L}\\p{N}&-]*){0,3})`;
  const patterns = [
    new RegExp(`\\b${name}\\s+(?:${value})`, "gu"),
    new RegExp(`(?:${value})\\s+${name}\\b`, "gu"),
  ];
  return patterns
    .flatMap((pattern) => [...clause.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? ""))
    .filter(
      (found) =>
        contentWords(found).some((word) => !isPlainWord(word)) && !/^(Q[1-4]|Which|What)$/i.test(found),
    );
}

function entityIn(stems: readonly string[], table: Table): string | null {
  const ids = table.columns
    .filter(({ kind }) => kind === "id")
    .flatMap(({ words }) => words.filter((word) => word !== "id"));
  return [...ids, "row", "record", "entry", "line"].find((word) => stems.includes(word)) ?? null;
}

function unknownWords(text: string, mentions: readonly Mention[], table: Table): readonly string[] {
  const known = [...mentions.flatMap(({ column }) => column.words), ...table.words];
  return contentWords(withoutLexicon(text)).filter(
    (word) => !isPlainWord(word) && !known.some((other) => areSynonyms(stem(word), other)),
  );
}
