/** Whether a verb adds nothing to a meaning: its subject must be compatible with such a verb, and it must have happened. */
import type { DeedKind } from "../words/deed-words.ts";
import { type Filter, type Meaning, toldColumns, Unreadable } from "./meaning.ts";
import { type Deed, isNumber } from "./said.ts";
import { type Col, pathsBetween, type Schema, type Tab } from "./schema.ts";
import { rootsOf } from "../words/tokens.ts";

const PERSONS = new Set(
  rootsOf(
    "passengers guests visitors people persons pupils students children adults spectators audience attendees participants patients customers riders players attendance",
  ),
);
const GOODS = new Set(
  rootsOf(
    `quantity qty pieces units boxes crates parcels packages pallets bags sacks bottles jars cases barrels bales eggs loaves items
     cargo load weight volume tonnage containers kegs trays bunches seedlings kg g t l litres litre m3`,
  ),
);
const TIMES = new Set(rootsOf("hours minutes h min shifts"));
const DISTANCES = new Set(rootsOf("km miles distance m"));
const TEXTS = new Set(rootsOf("words pages chapters lines characters"));
/** Amounts that are not moved or made: what something has, needs or costs. */
const HELD = new Set(
  rootsOf(
    "stock price rate capacity max maximum minimum min_stock limit seats deposit returned lost rejected pot range per planned booked ordered age delay target",
  ),
);

/** `fee_per_lesson`: money per unit; the data does not state who earns it. */
function isPer({ name }: Col): boolean {
  return /(?:^|[_ ])per(?:$|[_ ])/i.test(name);
}

/** The subject of a number. */
export function kindsOfCol(col: Col): ReadonlySet<DeedKind> {
  const found = new Set<DeedKind>();
  const words = [...col.words, ...(col.unit === null ? [] : [col.unit])];
  if (col.kind !== "number" || col.adds === "rate" || isPer(col) || words.some((word) => HELD.has(word)))
    return found;
  if (col.isMoney) return found.add("money");
  for (const [kind, roots] of [
    ["persons", PERSONS],
    ["goods", GOODS],
    ["time", TIMES],
    ["distance", DISTANCES],
    ["texts", TEXTS],
  ] as const)
    if (words.some((word) => roots.has(word))) found.add(kind);
  return found;
}

const PIECES = new Set(
  rootsOf(
    "quantity qty pieces units items boxes crates parcels packages bags bottles jars eggs trays copies",
  ),
);

/** `how many posters were ordered`: a count of rows, if each row has a number of posters. */
export function countsRowsForPieces(goal: string, meaning: Meaning): boolean {
  const [, noun, next = ""] = /^\s*how many\s+(\p{L}+)(?:\s+(\p{L}+))?/iu.exec(goal) ?? [];
  // `how many poster orders`
  if (meaning.base.nouns.some((words) => words.at(-1) === rootsOf(next)[0])) return false;
  if (noun === undefined || meaning.shape !== "figures" || !meaning.base.cols.some(isOfPieces)) return false;
  const [root] = rootsOf(noun);
  return (
    meaning.figures.some(({ agg, expr }) => agg === "count" && expr === null) &&
    meaning.filters.some(
      (filter) => filter.t === "in" && filter.values.some((value) => rootsOf(value).includes(root ?? "")),
    )
  );
}

/** Whether a number is the number of pieces in a row. */
function isOfPieces(col: Col): boolean {
  return kindsOfCol(col).has("goods") && col.words.some((word) => PIECES.has(word));
}

/** `how many plants were sold`: pieces, if the rows of sales have a number of pieces. */
export function areMoved({ tables }: Schema, filters: readonly Filter[]): boolean {
  return filters.some(
    (filter) =>
      filter.t === "exists" &&
      !filter.not &&
      tables
        .find(({ name }) => name === filter.link.from)
        ?.cols.some((col) => isNumber(col) && !col.isMoney && col.adds !== "rate"),
  );
}

/** Distances and times belong to each event, whichever row contains them. */
export function isOfEvents(col: Col): boolean {
  const kinds = kindsOfCol(col);
  return kinds.has("distance") || kinds.has("time");
}

const UNDONE = /^(?:cancel+ed|called off|postponed|aborted|planned|scheduled)$/i;
const UNSURE =
  /^(?:rejected|refused|declined|returned|refunded|lost|failed|missed|no[- ]show|void|voided|abandoned|in transit|in progress|pending|open|ordered|reserved|booked|draft|requested|waiting|upcoming|unpaid|overdue|not .*)$/i;

/**
 * The rows whose action has not happened: they are excluded, unless the goal itself specifies which rows it means.
 *
 * @throws {Unreadable} When it is open whether the action has happened.
 */
export function undoneFilters(tab: Tab, filters: readonly Filter[], isMoney = false): readonly Filter[] {
  return tab.cols.flatMap((col): readonly Filter[] => {
    const isSaid = filters.some((filter) => "ref" in filter && filter.ref.col === col);
    // Whether it was paid does not reveal whether it happened.
    if (isSaid || (!isMoney && /pay|paid|invoice/i.test(col.name))) return [];
    if (col.kind === "bool") {
      const isState = UNDONE.test(col.name) || UNSURE.test(col.name.replaceAll("_", " "));
      if (isState) throw new Unreadable(`whether ${col.name} counts`);
      return [];
    }
    if (col.kind !== "text" || !col.complete) return [];
    const unsure = col.samples.find((value) => UNSURE.test(value));
    if (unsure !== undefined) throw new Unreadable(`whether what is ${unsure} counts`);
    const values = col.samples.filter((value) => UNDONE.test(value));
    return values.length === 0
      ? []
      : [{ t: "in", ref: { col, by: null }, values, not: true, keepsEmpty: true }];
  });
}

/** The meaning with its verbs accounted for. */
export function withDeeds(meaning: Meaning, deeds: readonly Deed[], schema: Schema): Meaning {
  if (deeds.length === 0) return meaning;
  const filters = deeds.flatMap((deed) => accountFor(deed, meaning, schema));
  const added = filters.filter(
    (filter, index) =>
      filters.findIndex((other) => JSON.stringify(other) === JSON.stringify(filter)) === index,
  );
  return { ...meaning, filters: [...meaning.filters, ...added] };
}

/** Rows of produced goods: for others, the amount produced is unknown. */
const MADE = new Set(
  rootsOf(
    "harvests yields production batches output milkings crops pickings extractions layings collections catches loads",
  ),
);
/** Rows of things that did not happen, or that were spent. */
const LOST = new Set(
  rootsOf(
    "absences leave holidays outages downtime delays breaks losses waste expenses costs purchases repairs cancellations refunds returns complaints claims",
  ),
);

function isAmong(tab: Tab, roots: ReadonlySet<string>): boolean {
  return tab.nouns.some((noun) => noun.some((word) => roots.has(word)));
}

function accountFor(deed: Deed, meaning: Meaning, schema: Schema): readonly Filter[] {
  const fail = (): never => {
    throw new Unreadable(`“${deed.text}”`);
  };
  const cols = toldColumns(meaning).filter(({ kind }) => kind === "number");
  const { base, filters } = meaning;
  // For two sides, it is open which one did more.
  if (meaning.shape === "sides") fail();
  if (cols.length > 0) {
    const isFitting =
      !isAmong(base, LOST) &&
      cols.every((col) =>
        [...kindsOfCol(col)].some(
          (kind) =>
            deed.kinds.has(kind) || (kind === "goods" && deed.kinds.has("made") && isAmong(base, MADE)),
        ),
      );
    // Rows selected through rows that refer to them: the figure is not of the action.
    if (!isFitting || filters.some(({ t }) => t === "exists")) fail();
    const isMoney = cols.some((col) => col.isMoney);
    // A person's earnings are a wage, not the price of their work.
    if (isMoney && GAINED.test(deed.text) && (isOfPerson(meaning, schema) || filters.some(namesPerson)))
      fail();
    return undoneFilters(base, filtersOf(meaning), isMoney);
  }
  if (!deed.kinds.has("rows")) fail();
  const denied = filters.filter((filter) => filter.t === "exists" && filter.not);
  if (meaning.shape === "share") fail();
  if (denied.length > 0) {
    // `never been given a job`: a cancelled job was still given.
    if (denied.length > 1 || deed.rows === null) fail();
    return [];
  }
  if (filters.some(({ t }) => t === "exists") || !isOfSomebody(meaning, schema)) fail();
  if (undoneFilters(base, filtersOf(meaning)).length > 0)
    throw new Unreadable("whether what was called off counts");
  return [];
}

/** Every condition of a meaning, including those of its sides. */
export function filtersOf(meaning: Meaning): readonly Filter[] {
  const more =
    meaning.shape === "share"
      ? meaning.focus
      : meaning.shape === "sides"
        ? meaning.sides.flatMap((side) => side.filters)
        : [];
  return [...meaning.filters, ...more];
}

const GAINED = /^(?:earn|make|made|get|gets|got|receive|cost)/i;
const PERSON = /^(?:Dr|Mr|Mrs|Ms|Prof)\b|^\p{Lu}[\p{Ll}'-]+(?: \p{Lu}[\p{Ll}.'-]*)+$/u;

function namesPerson(filter: Filter): boolean {
  return filter.t === "in" && !filter.not && filter.values.some((value) => PERSON.test(value));
}

/** Rows with a date on which a named person did something: their own person, or each of their persons. */
function isOfSomebody(meaning: Meaning, schema: Schema): boolean {
  return meaning.base.cols.some(({ kind }) => kind === "date") && isOfPerson(meaning, schema);
}

function isOfPerson(meaning: Meaning, schema: Schema): boolean {
  const { base } = meaning;
  const isPerson = (col: Col) =>
    (col.isPerson || schema.tables.some((tab) => tab.isPersons && tab.labels.includes(col))) &&
    pathsBetween(schema, base.name, col.table).length === 1;
  const isNamed = meaning.filters.some(
    (filter) => filter.t === "in" && !filter.not && isPerson(filter.ref.col),
  );
  const isGrouped =
    meaning.shape === "figures" &&
    meaning.groups.some(
      (group) => group.g === "col" && [group.ref, ...group.also].some(({ col }) => isPerson(col)),
    );
  return isNamed || isGrouped;
}
