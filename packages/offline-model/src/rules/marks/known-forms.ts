/**
 * The third check of a reading: whether the marks are in an order in which users would ask this question.
 *
 * `assemble` takes its patterns out of a clause one after another, and `unaccounted` checks that each mark is in the
 * query. Neither considers the order of the parts: `revenue of West minus East` and `East revenue of West` would have the
 * same parts. So a clause is answered only if it matches one of the forms below from its first mark to its last, and if
 * its query has the shape of that form. A form is a regular expression over the letters of marks.
 */
import type { Mark } from "./marks.ts";
import type { Question } from "../data/question.ts";
import type { Table } from "../data/tables.ts";

/** With more marks, no form is tried: a question has a dozen. */
const MARKS_MAX = 40;
/** A refusal looks for the obstacle by removing fewer adjacent marks than this. */
const RUN_MAX = 8;

/** Lists of values, times and weekdays are one letter, and commas are removed: see `lettersOf`. */
const PLACES = "(?:l?D?[VF]l?|V&?D)";
/** Row selection: values, times and exceptions. */
const WHERE = `(?:[sT]?(?:${PLACES}|T?P|z|X(?:D?VE?|P|z|h))|T)`;
const NUMBER = `A?MCN(?:&N)?|CN(?:&N)?A?M?|A?MNc|NcM?|NMc|MC?N(?:\\|N)?|N(?:\\|N)?M`;
/** A number, or its absence, as a condition on rows. */
const OF_ROWS = `${NUMBER}|X?eM|X[MDT]`;
const BOUND = `(?:&?(?:${OF_ROWS}))`;
const BOUNDS = `(?:${BOUND}(?:&(?:${OF_ROWS}))*)`;
const ROWS = `(?:V*(?:NM)?E)`;
const FIGURE = `(?:A?E?M|A?H[EM]|AE)`;
const FIGURES = `(?:${FIGURE}(?:[&r](?:${FIGURE}|E))*)`;
const GROUP = `(?:(?:GE)?G[DBT](?:[&G]+[DBT])*|GE)`;
const RANK = `(?:O?SS?N?|NS|OS)`;
const BY = `(?:[Go](?:A?M|HE|E)s?)`;

/** The possible shapes of a form, and the forms. */
const FORMS: readonly (readonly [readonly Question["shape"][], readonly string[]])[] = [
  [
    ["figures", "average", "groups"],
    [
      // total revenue and units of West in March; how many orders above 100; Q4 revenue
      `g?[WU]?${WHERE}*[WU]?${FIGURES}g?s?a?${ROWS}?${WHERE}*${BOUNDS}?${WHERE}*s?g?`,
      `[WU]?${FIGURES}s?${ROWS}?${BOUNDS}`,
      `H${ROWS}s?${WHERE}*${BOUNDS}?${WHERE}*`,
      `HV${WHERE}*s?${WHERE}*`,
      `HV+M${WHERE}*s?`,
      `Hd?DX?s?${ROWS}?${WHERE}*`,
      `U${WHERE}*sg?${WHERE}*`,
      // revenue by region in March, lowest first
      `[Wr]?${WHERE}*[WU]?${FIGURES}${ROWS}?s?${WHERE}*${GROUP}(?:s?${ROWS}|s)?${WHERE}*v?`,
      `${ROWS}${WHERE}*${GROUP}(?:s?${ROWS}|s)?${WHERE}*v?`,
      `[WU]?(?:${FIGURES}s?)?(?:${ROWS}|A?HE)s?${WHERE}*${BOUNDS}${GROUP}(?:s?${ROWS}|s)?${WHERE}*v?`,
      `[W]?A?b(?:${FIGURES}|E)${WHERE}*|[W]?${FIGURES}${WHERE}*b${WHERE}*`,
      // how many regions had more than 300 orders
      `H[DB]${WHERE}*s?(?:CN[ME]|A?MCN)${WHERE}*`,
      // compare North and South in Q3
      `r(?:${FIGURES})?${WHERE}+`,
    ],
  ],
  [
    ["figures"],
    [
      // which region has the most orders; which product sold best in March
      `WN?V*[DB]${WHERE}*s?${RANK}(?:s|A?M(?:GE)?${ROWS}?|A?H[EM]|V*E|V+s?)?${WHERE}*g?`,
      // top 3 products by units in West; who is the second largest customer by revenue
      `[Ww]?J?${WHERE}*${RANK}V*[DB]${WHERE}*(?:G[DB])?${BY}?${WHERE}*g?`,
      `[Ww]?[DB]${BY}v?${WHERE}*`,
      `N?[DB]${WHERE}*${RANK}(?:V*A?M|A?H[EM]|E)${ROWS}?${WHERE}*`,
      // who paid the highest fees
      `ws?${RANK}V*M${WHERE}*g?`,
      // total revenue of the top 3 products
      `W?${FIGURE}${RANK}D${WHERE}*`,
      // the highest price in West
      `W?${RANK}M${WHERE}*E?`,
      `n[DB]${BY}${WHERE}*v?`,
      // in which month was the total revenue of orders highest
      `W[DB]${FIGURE}${ROWS}?${WHERE}*S`,
      // which regions had revenue above 40000
      `W?[DB]${WHERE}*s?(?:CN(?:&N)?A?[ME]|A?MCN(?:&N)?)${WHERE}*`,
    ],
  ],
  [
    ["rows"],
    [
      `W?a?${ROWS}s?${WHERE}*${BOUNDS}?${WHERE}*`,
      // which nurses do not work full-time
      `WV${WHERE}*s?${WHERE}*`,
      `W?N?Es?${RANK}M${WHERE}*`,
      // which available bike is the lightest
      `WV*ES${WHERE}*`,
      `[Ww]?${RANK}(?:V*E|V)${BY}?${WHERE}*`,
      `W?${RANK}M${WHERE}*E`,
      // when did Rosa Delgado join
      `q${ROWS}?${PLACES}E?T`,
      // which teacher was hired first; the customer of the latest order; the brand of the bike with the highest price
      `[Ww]E?(?:TS|ST)${WHERE}*`,
      `W?k(?:&k)*(?:${RANK}V*E|E${RANK}M)${WHERE}*`,
      `ws?${RANK}M${WHERE}*`,
      `W?E${BY}v?`,
    ],
  ],
  [["values"], [`[Ww]?d?D(?:&D)*${ROWS}?s?${WHERE}*E?`, `W?V*E${BOUNDS}${WHERE}*`]],
  [
    ["growth"],
    [
      `[WU]?K?(?:${FIGURE})?${WHERE}*y?Y(?:M)?${WHERE}*(?:GD)?${WHERE}*y?`,
      `[WU]?MY${WHERE}*GD${WHERE}*`,
      `[WU]?M${WHERE}*Yy?${WHERE}*`,
      `WD(?:M)?Y(?:S|M)?${WHERE}*S?`,
      `WDS?${RANK}MY${WHERE}*`,
      `S?YD${WHERE}*`,
    ],
  ],
  [
    ["share", "part"],
    [
      `[WU]?K(?:E?A?M|E)s?${WHERE}+E?`,
      `[WU]?KV+E${WHERE}*`,
      `[WU]?K(?:E${BOUND}|M)`,
      `W?${PLACES}[DE]?Ka?E${WHERE}*`,
      `[WU]?${PLACES}KM?${WHERE}*`,
      `W?KMGD${WHERE}*`,
    ],
  ],
  [["contrast"], [`[WU]?R(?:A?M|HE)${WHERE}+`, `[HU]Z(?:M|E)(?:[VF]s?t[VF]|Ps?tP)${WHERE}*`]],
];

const COMPILED = FORMS.flatMap(([shapes, patterns]) =>
  patterns.map((pattern) => ({ shapes, pattern: new RegExp(`^(?:${pattern})$`) })),
);

/**
 * The part of a clause that fits no form: the shortest run of marks whose removal would make it fit, else all of
 * them. Null when the clause has a form in which users would ask this question.
 */
export function strayWords(marks: readonly Mark[], { shape, table }: Question): string | null {
  const isKnown = (own: readonly Mark[]) =>
    [lettersOf(own), lettersOf(own.map((mark) => asRow(mark, table)))].some((letters) =>
      COMPILED.some(({ shapes, pattern }) => shapes.includes(shape) && pattern.test(letters)),
    );
  if (marks.length > MARKS_MAX) return textOf(marks.slice(MARKS_MAX));
  if (isKnown(marks)) return null;
  for (let count = 1; count < Math.min(marks.length, RUN_MAX); count++)
    for (let at = marks.length - count; at >= 0; at--)
      if (isKnown(marks.toSpliced(at, count))) return textOf(marks.slice(at, at + count));
  return textOf(marks);
}

function textOf(marks: readonly Mark[]): string {
  return marks
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(" ,", ",");
}

/** The noun of the column that names a row is a noun of the row: `titles with over 500 pages`. */
function asRow(mark: Mark, { label }: Table): Mark {
  return mark.letter === "D" && mark.column === label ? { ...mark, letter: "E" } : mark;
}

/**
 * The letters of a clause: a list of values, times or weekdays is one of them, a comma in another list an `&`, any
 * other comma nothing; a reference back counts as a value.
 */
function lettersOf(marks: readonly Mark[]): string {
  return marks
    .map(({ letter }) => letter)
    .join("")
    .replaceAll(/j[DB]/g, "V")
    .replaceAll("J", "")
    .replaceAll(/([VPz])(?:[,&|rt]*[,&|r](?:D?(?=V))?\1)+/g, "$1")
    .replaceAll(/(?<=[MEDBT]),+&?(?=[AHMEDBT])/g, "&")
    .replaceAll(",", "");
}
