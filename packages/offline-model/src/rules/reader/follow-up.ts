/** Follow-ups about the answer to the first question: its ranked figure, more columns of its rows, or the rows themselves. */
import { echoed } from "./echo.ts";
import type { Group, Meaning, Ref } from "./meaning.ts";
import { type Named, namedIn } from "./named-columns.ts";
import { pathsBetween, type Schema, type Tab } from "./schema.ts";
import type { Token } from "../words/tokens.ts";
import { isNumber } from "./said.ts";

export type Context = {
  readonly lead: readonly Token[];
  readonly tail: string;
  readonly schema: Schema;
  readonly source: string;
};

/** The meanings that answer both, including the first one's; null when the words are no follow-up or refer to nothing. */
export function followedUp(first: Meaning, context: Context): readonly Meaning[] | null {
  const tail = context.tail
    .trim()
    .replace(/[.?!]+$/, "")
    .replace(/^(?:and|also|then|please|and please)\s+/i, "")
    .trim();
  const text = withoutTies(tail, first);
  if (text === null) return null;
  if (text === "") return [first];
  const which = whichRows(text, first);
  if (which !== null) return which;
  const rest = complement(text, first);
  if (rest !== null) return [first, rest];
  const ordered = inOrder(text, first);
  if (ordered !== null) return [ordered];
  const echo = echoed(text, first, context);
  if (echo !== null) return [echo];
  const named = namedIn(text, { ...context, rows: rowsOf(first, context.schema)?.tab ?? null, first });
  return named === null ? null : added(first, named, context.schema);
}

const TIES =
  /^if (?:several|two|some|there (?:is|are) (?:a tie|ties|several|more than one)|more than one|it is a tie)(?: of them)?(?: (?:is|are|have|share))?(?: (?:equal|tied|the same|level))?,?\s*/i;

/** All tied rows are shown. */
function withoutTies(text: string, first: Meaning): string | null {
  if (!TIES.test(text)) return text;
  if (!isRanked(first)) return null;
  const rest = text.replace(TIES, "");
  return rest.replace(
    /^(?:please )?(?:list|name|show|give|tell)(?: me| us)? (?:them all|all of them|all|them|both|every one)(?:\s+(?=with\b)|$)/i,
    "",
  );
}

export function isRanked(meaning: Meaning): boolean {
  return (meaning.shape === "figures" || meaning.shape === "rows") && meaning.ranks !== null;
}

const WHICH =
  /^(?:(?:please )?(?:name|list|show|give)(?: me| us)? (?:them|them all|all of them|their names|each of them)|who (?:are|were|is|was) (?:they|those|these|it)|which(?: ones?)?(?: (?:are|were|is|was) (?:they|those|these|that|it))?|what are they(?: called)?)$/i;

/** `Are there any, and which ones?` */
function whichRows(text: string, first: Meaning): readonly Meaning[] | null {
  if (!WHICH.test(text)) return null;
  if (first.shape === "rows" || isRanked(first)) return [first];
  const { base, filters } = first;
  const isCount =
    first.shape === "figures" &&
    first.groups.length === 0 &&
    first.figures.every(({ agg, expr }) => agg === "count" && expr === null);
  if (first.shape !== "exists" && !isCount) return null;
  const isNamed = base.labels.length > 0 && filters.length > 0;
  if (!isNamed || (/^who/i.test(text) && !base.isPersons)) return null;
  return [
    first,
    { shape: "rows", base, filters, shown: [], by: null, order: "most", ranks: null, isValues: false },
  ];
}

const NOT =
  /^how many (?:(?:are|were|is|was|have|has|had|do|does|did) not|(?:are|were|is|was|have|has|had|do|does|did)n['’]t)$/i;

/** `… and how many are not?`: the other rows, if a single condition determines them. */
function complement(text: string, first: Meaning): Meaning | null {
  if (!NOT.test(text) || first.shape !== "figures" || first.groups.length > 0) return null;
  if (!first.figures.every(({ agg, expr }) => agg === "count" && expr === null)) return null;
  const [filter, ...others] = first.filters;
  if (filter === undefined || others.length > 0) return null;
  if (filter.t === "in" && filter.ref.col.kind === "bool") {
    const { truth, falsehood } = filter.ref.col;
    const other = filter.values[0] === truth ? falsehood : truth;
    return other === null || filter.not ? null : { ...first, filters: [{ ...filter, values: [other] }] };
  }
  const isOpen = filter.t === "in" && (filter.ref.col.empty ?? 0) > 0;
  if ((filter.t !== "in" && filter.t !== "empty" && filter.t !== "exists") || isOpen) return null;
  return { ...first, filters: [{ ...filter, not: !filter.not }] };
}

const LARGEST =
  /^(?:start|begin|starting|beginning)(?: with)? (?:the )?(?:largest|highest|biggest|most)(?: (?:one|group|first))?$|^(?:largest|highest|biggest|most) first$|^in descending order$/i;
const SMALLEST =
  /^(?:start|begin|starting|beginning)(?: with)? (?:the )?(?:smallest|lowest|fewest|least)(?: (?:one|group|first))?$|^(?:smallest|lowest|fewest|least) first$|^in ascending order$/i;

function inOrder(text: string, first: Meaning): Meaning | null {
  const order = LARGEST.test(text) ? "most" : SMALLEST.test(text) ? "least" : null;
  if (order === null || first.shape !== "figures" || first.ranks !== null || first.groups.length === 0)
    return null;
  return { ...first, order };
}

export type Rows = {
  readonly tab: Tab;
  /** Null when the columns do not belong to one such row each. */
  readonly add: (refs: readonly Ref[]) => Meaning | null;
};

/** The rows of an answer, and the answer with more of their columns. */
export function rowsOf(meaning: Meaning, schema: Schema): Rows | null {
  const { base } = meaning;
  if (meaning.shape === "rows") {
    const [shown] = meaning.shown;
    const isOneEach = !meaning.isValues || shown?.col.unique === true;
    return {
      tab: base,
      add: (refs) =>
        isOneEach || !refs.some(({ col }) => isNumber(col))
          ? { ...meaning, shown: [...meaning.shown, ...refs] }
          : null,
    };
  }
  if (meaning.shape !== "figures") return null;
  const [group, ...others] = meaning.groups;
  if (group === undefined) return extremeRow(meaning, base);
  if (others.length > 0 || group.g !== "col") return null;
  const { col } = group.ref;
  const tab = schema.tables.find(({ name }) => name === col.table);
  if (tab === undefined || !(tab.labels.includes(col) ? tab !== base || col.unique : col.unique)) return null;
  if (tab.name !== base.name && pathsBetween(schema, base.name, tab.name).length !== 1) return null;
  return { tab, add: (refs) => ({ ...meaning, groups: [withShown(group, refs)] }) };
}

function withShown(group: Extract<Group, { g: "col" }>, refs: readonly Ref[]): Group {
  return { ...group, shown: [...(group.shown ?? []), ...refs] };
}

/** `What was the highest fee, and who paid it?`: the rows that have it. */
function extremeRow(meaning: Extract<Meaning, { shape: "figures" }>, base: Tab): Rows | null {
  const [figure, ...others] = meaning.figures;
  if (figure === undefined || others.length > 0 || figure.expr === null || meaning.having !== null)
    return null;
  if (figure.agg !== "highest" && figure.agg !== "lowest") return null;
  const { expr } = figure;
  const order = figure.agg === "highest" ? "most" : "least";
  const { filters } = meaning;
  return {
    tab: base,
    add: (shown) => ({ shape: "rows", base, filters, shown, by: expr, order, ranks: 1, isValues: false }),
  };
}

function added(first: Meaning, { refs, isFigureNamed }: Named, schema: Schema): readonly Meaning[] | null {
  if (refs.length === 0) return isFigureNamed ? [first] : null;
  const meaning = rowsOf(first, schema)?.add(refs) ?? null;
  return meaning === null ? null : [meaning];
}
