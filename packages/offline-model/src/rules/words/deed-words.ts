/** Verbs that only link a row's figure to what is named: each with the figures that it fits. */
import type { Token } from "./tokens.ts";

/** The kinds of figures that verbs distinguish; `made` are goods of a harvest, `rows` those of an action. */
export type DeedKind = "persons" | "goods" | "made" | "time" | "distance" | "money" | "texts" | "rows";

/**
 * Excludes verbs that select among rows (accept, reject, return, lose, win, finish, repair): a table that does not show which
 * rows they apply to cannot answer for them.
 */
const VERBS: readonly (readonly [DeedKind, string])[] = [
  [
    "persons",
    "carry transport convey ferry fly bring take host welcome receive attract draw have get see accommodate serve teach",
  ],
  ["goods", "carry transport convey ferry haul fly have get record count"],
  ["made", "produce yield give make harvest gather collect pick extract grow lay bring take have get"],
  ["time", "work log spend put teach fly drive sail play perform run take last record have do give"],
  ["distance", "travel cover drive sail fly ride run walk row cycle swim go do make"],
  ["money", "earn make take raise collect get bring spend pay charge cost receive give"],
  ["texts", "translate write read proofread edit type"],
  ["rows", "do make have give get receive take run lead command captain skipper handle manage lodge hold"],
];

const IRREGULAR = new Map(
  `flew fly, flown fly, brought bring, took take, taken take, drew draw, drawn draw, had have, has have, got get, saw see, seen see, taught teach, gave give, given give,
   made make, grew grow, grown grow, laid lay, caught catch, sold sell, bought buy, spent spend, drove drive, driven drive, ran run, did do, done do, went go, gone go,
   rode ride, ridden ride, swam swim, swum swim, wrote write, written write, led lead, held hold, paid pay, getting get, running run, swimming swim, putting put`
    .split(",")
    .map((pair) => pair.trim().split(/\s+/) as [string, string]),
);

const KINDS = new Map<string, Set<DeedKind>>();
for (const [kind, verbs] of VERBS)
  for (const verb of verbs.split(/\s+/)) KINDS.set(verb, (KINDS.get(verb) ?? new Set()).add(kind));

function verbOf(word: string): string | undefined {
  const bases = [
    IRREGULAR.get(word) ?? word,
    word.replace(/ied$|ies$/, "y"),
    word.replace(/(?:ed|es|s|ing)$/, ""),
    word.replace(/(?:ed|ing)$/, "e"),
  ];
  return bases.find((base) => KINDS.has(base));
}

/** The figures that a verb fits, with the end of its words; null for any other word. */
export function deedAt(
  tokens: readonly Token[],
  at: number,
): { readonly kinds: ReadonlySet<DeedKind>; readonly end: number } | null {
  const token = tokens[at];
  // `do` and `have` in front of the verb are auxiliaries.
  if (token === undefined || at === 0) return null;
  const kinds = KINDS.get(verbOf(token.lower) ?? "");
  // `a record` is not a verb.
  const isNoun = token.lower === "record" && !/^(?:do|does|did)$/.test(tokens[at - 2]?.lower ?? "");
  if (kinds === undefined || isNoun) return null;
  const particle = PARTICLES.get(verbOf(token.lower) ?? "");
  const isParted = particle !== undefined && tokens[at + 1]?.lower === particle;
  return { kinds, end: at + (isParted ? 2 : 1) };
}

const PARTICLES = new Map([
  ["put", "in"],
  ["bring", "in"],
  ["take", "in"],
  ["bring", "in"],
]);
