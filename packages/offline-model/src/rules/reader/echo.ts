/** `… and how much is that?`: repeats the figure of the first question's answer, or adds another one. */
import { generalAt } from "../words/general-words.ts";
import { sensesAt } from "../words/lexicon.ts";
import type { Expr, Figure, Meaning } from "./meaning.ts";
import { factorOf, isNumber, isOfUnit } from "./said.ts";
import type { Col, Schema, Tab } from "./schema.ts";
import { type Token, tokensOf } from "../words/tokens.ts";

type Given = { readonly lead: readonly Token[]; readonly schema: Schema; readonly source: string };

/** The figures that an answer shows beside names. */
export function figuresShown(meaning: Meaning): readonly Figure[] {
  if (meaning.shape === "figures") return meaning.figures;
  if (meaning.shape === "rows" && meaning.by !== null) return [{ agg: "highest", expr: meaning.by }];
  if (meaning.shape === "sides" || meaning.shape === "share" || meaning.shape === "mean")
    return [meaning.figure];
  return [];
}

const ASKED = /^(?:(?:by|for|with|in) )?how (much|many times|many|often|long)\b(.*)$/i;
const IT = "(?:it|that|this|they|those|these|there|he|she)";
const COPULA = new RegExp(
  `^(.*?)\\s*(?:\\b(?:is|are|was|were) ${IT}|\\b(?:is|are|was|were) ${IT} (?:altogether|in total|in all|exactly|each|each time|all together)|\\b(?:altogether|in total|in all|exactly))?$`,
  "i",
);
const DEED = new RegExp(`^(.*?)\\s*\\b(?:did|does|do|has|have|had) ${IT} (.+)$`, "i");

/** Null when the words do not match, or when the figure is of another kind. */
export function echoed(text: string, first: Meaning, given: Given): Meaning | null {
  if (/^(?:and )?what is the difference(?: between (?:them|the two))?$|^by how much$/i.test(text))
    return first.shape === "sides" ? first : null;
  const asked = ASKED.exec(text);
  if (asked === null) return null;
  const [, how = "", rest = ""] = asked;
  const deed = DEED.exec(rest);
  if (deed !== null && !isDoneBefore(deed[2] ?? "", first, given)) return null;
  const noun = (deed?.[1] ?? COPULA.exec(rest)?.[1] ?? "").trim();
  const tokens = tokensOf(noun).filter(({ lower }) => !/^(?:the|of|a|in)$/.test(lower));
  return figureAsked(how.toLowerCase(), tokens, first, given);
}

/** Verbs that the first question had too, or that apply to any money. */
function isDoneBefore(text: string, first: Meaning, { lead }: Given): boolean {
  const [shown] = figuresShown(first);
  const isPrice =
    shown?.expr?.e === "col" &&
    shown.expr.ref.col.words.some((word) => /^(?:pric|cost|fee|fare|rate|charg|rent)/.test(word));
  return tokensOf(text).every(
    (token, _at, all) =>
      lead.some(({ root }) => root === token.root) ||
      /^(?:in|up|altogether|total|all|together)$/.test(token.lower) ||
      (isPrice && /^(?:cost|costs|charge)$/.test(token.lower) && all.length === 1),
  );
}

function figureAsked(how: string, noun: readonly Token[], first: Meaning, given: Given): Meaning | null {
  const shown = figuresShown(first);
  const [only, ...others] = shown;
  const isOne =
    others.length === 0 && only !== undefined && (first.shape === "figures" || first.shape === "rows");
  const isGrouped =
    first.shape === "rows" ? first.ranks !== null : first.shape === "figures" && first.groups.length > 0;
  if (how === "many times" || how === "often")
    return noun.length === 0 && isOne && isGrouped && isCount(only) ? first : null;
  if (how === "long") return noun.length === 0 && isOne && isTimeLong(only.expr) ? first : null;
  if (noun.length === 0) {
    if (!isOne || !isGrouped) return null;
    const isPlainCount =
      isCount(only) || (only.agg === "sum" && only.expr?.e === "col" && !only.expr.ref.col.isMoney);
    const isAmount = only.expr?.e === "col" && isNumber(only.expr.ref.col);
    return (how === "many" ? isPlainCount : isAmount) ? first : null;
  }
  return withNoun(how, noun, first, given);
}

function isCount({ agg, expr }: Figure): boolean {
  return agg === "count" && expr === null;
}

function isTimeLong(expr: Expr | null): boolean {
  if (expr?.e === "days") return true;
  return (
    expr?.e === "col" &&
    /^(?:min|minut|h|hour|day|days|week)$/.test(expr.ref.col.unit ?? expr.ref.col.words.at(-1) ?? "")
  );
}

/** `how many kilos`, `how many people`: the figure if it is of those, else an additional one. */
function withNoun(how: string, tokens: readonly Token[], first: Meaning, given: Given): Meaning | null {
  const shown = figuresShown(first);
  const units = generalAt(tokens, 0).flatMap(({ sense, end }) =>
    sense.k === "unit" && end === tokens.length ? [sense.unit] : [],
  );
  const isMoney = generalAt(tokens, 0).some(({ sense, end }) => sense.k === "money" && end === tokens.length);
  const senses = sensesAt({ tokens, schema: given.schema, source: given.source }, 0).filter(
    ({ end }) => end === tokens.length,
  );
  const fits = ({ expr }: Figure): boolean => {
    if (expr?.e === "days") return units.includes("day");
    if (expr?.e !== "col") return false;
    const { col } = expr.ref;
    return (
      units.some((unit) => isOfUnit(unit, col) && factorOf(unit, col) === 1) ||
      (isMoney && col.isMoney) ||
      senses.some((chunk) => chunk.k === "col" && chunk.col === col && chunk.cost <= 0.8)
    );
  };
  const isAsGiven =
    first.shape === "figures" ? first.groups.length > 0 : first.shape === "rows" && first.ranks !== null;
  const areRows = senses.some(
    (chunk) => chunk.k === "ent" && chunk.cost < 0.7 && chunk.tab.name === first.base.name,
  );
  if (isAsGiven && shown.some(fits)) return first;
  if (how !== "many" || first.shape !== "figures") return null;
  if (areRows) {
    if (first.figures.some(isCount)) return isAsGiven ? first : null;
    return { ...first, figures: [...first.figures, { agg: "count", expr: null }] };
  }
  const cols = senses.flatMap((chunk) => (chunk.k === "col" && chunk.cost === 0 ? [chunk.col] : []));
  const [col, ...more] = cols.filter((one) => isSummed(one, first.base));
  if (col === undefined || more.length > 0) return null;
  return {
    ...first,
    figures: [...first.figures, { agg: "sum", expr: { e: "col", ref: { col, by: null } } }],
  };
}

function isSummed(col: Col, base: Tab): boolean {
  return col.table === base.name && isNumber(col) && col.adds !== "rate";
}
