/** Resolves conditions for the current rows: to their own columns, to rows that they refer to, or to rows that refer to them. */
import type { Frame, Said } from "./said.ts";
import { type Filter, type Ref, type Span, Unreadable } from "./meaning.ts";
import { type Col, type Link, pathsBetween, type Schema, type Tab } from "./schema.ts";
import { latestYearOf, spanOf } from "./times.ts";

export type Settled = {
  readonly filters: readonly { readonly filter: Filter; readonly at: number; readonly said: Said }[];
  readonly cost: number;
};

const DUE = /^(?:due|deadlin|expect|plan|promis|schedul|agre|target)$/;
const ACTUAL = /^(?:arriv|return|deliver|clos|paid|pay|finish|complet|brought|end|actual|handed|ship)$/;

export function settle(frame: Frame, base: Tab, schema: Schema, events: readonly Col[]): Settled {
  const columns = frame.said.flatMap((one) =>
    one.s === "values" && one.not === null ? [`${one.col.table}.${one.col.name}`] : [],
  );
  const isCompared =
    frame.flags.has("versus") ||
    frame.flags.has("more") ||
    frame.flags.has("morerows") ||
    frame.flags.has("difference");
  if (!isCompared && new Set(columns).size < columns.length) throw new Unreadable("one thing that is two");
  const settler = new Settler(base, schema, frame);
  const said = [...frame.said, ...eventsLeft(frame, events)];
  const found = said.map((one) => ({ said: one, at: one.at, part: settler.part(one) }));
  const filters: { filter: Filter; at: number; said: Said }[] = [];
  const children = new Map<Link, { filters: Filter[]; at: number; said: Said; not: boolean }>();
  for (const { part, at, said: one } of found) {
    if (part.where === "nowhere") continue;
    if (part.where === "own") {
      filters.push({ filter: part.filter, at, said: one });
      continue;
    }
    const known = children.get(part.link) ?? { filters: [], at, said: one, not: false };
    children.set(part.link, {
      ...known,
      not: known.not || part.not,
      filters: [...known.filters, ...(part.filter === null ? [] : [part.filter])],
    });
  }
  for (const [link, { filters: inner, at, said: one, not }] of children)
    filters.push({ filter: { t: "exists", link, filters: inner, not }, at, said: one });
  return { filters, cost: settler.cost };
}

/** Events that have not happened to every row: `adopted dogs`. */
function eventsLeft({ said }: Frame, events: readonly Col[]): readonly Said[] {
  return events
    .filter((col) => !said.some((one) => (one.s === "time" || one.s === "weekday") && one.event === col))
    .map((col): Said => ({ s: "event", col, at: -1, prep: null, not: null }));
}

type Part =
  | { readonly where: "own"; readonly filter: Filter }
  | { readonly where: "nowhere" }
  | { readonly where: "child"; readonly link: Link; readonly filter: Filter | null; readonly not: boolean };

class Settler {
  cost = 0;
  readonly #base: Tab;
  readonly #schema: Schema;
  readonly #frame: Frame;

  constructor(base: Tab, schema: Schema, frame: Frame) {
    this.#base = base;
    this.#schema = schema;
    this.#frame = frame;
  }

  part(said: Said): Part {
    switch (said.s) {
      case "values": {
        const not = said.not !== null;
        const keepsEmpty = said.not === "except" || said.not === "without" || said.not === "no";
        return this.#of(said.col, said.prep, (ref) => ({
          t: "in",
          ref,
          values: said.values,
          not,
          keepsEmpty,
        }));
      }
      case "bool": {
        const yes = said.yes !== (said.not !== null);
        const value = yes
          ? said.col.truth
          : (said.col.falsehood ?? (said.col.empty === 0 ? null : undefined));
        if (value === undefined || value === null) throw new Unreadable(`no ${said.col.name}`);
        return this.#of(said.col, said.prep, (ref) => ({
          t: "in",
          ref,
          values: [value],
          not: false,
          keepsEmpty: false,
        }));
      }
      case "number":
        return this.#of(said.col, said.prep, (ref) => ({
          t: "number",
          ref,
          sign: said.sign,
          value: said.value,
          to: said.to,
        }));
      case "empty":
        return this.#of(said.col, said.prep, (ref) => ({ t: "empty", ref, not: said.not !== null }));
      case "time":
        return this.#time(said);
      case "weekday": {
        const col = this.#dateCol(said.event);
        return this.#of(col, null, (ref) => ({ t: "weekday", ref, days: said.days, not: said.not !== null }));
      }
      case "due":
        return this.#due(said);
      case "event":
        if (said.col.empty === 0) return this.#accounted(said.col);
        if (said.col.empty === null) throw new Unreadable(said.col.name);
        this.cost += 0.6;
        return this.#of(said.col, null, (ref) => ({ t: "empty", ref, not: true }));
      case "rows":
        return this.#rows(said.tab, said.not !== null);
      default:
        return said satisfies never;
    }
  }

  /** The rows that a column belongs to: the current ones or those that they refer to; else those that refer to them. */
  #of(col: Col, prep: string | null, filter: (ref: Ref) => Filter): Part {
    const paths = pathsBetween(this.#schema, this.#base.name, col.table);
    if (paths.length > 0) {
      const ref = refTo(paths, col, prep);
      // A referenced key means the same as the column that refers to it.
      const [path, ...more] = paths;
      const [link, ...further] = path ?? [];
      if (more.length === 0 && further.length === 0 && link?.key === col && link.column.kind === col.kind)
        return { where: "own", filter: filter({ col: link.column, by: null }) };
      this.cost += 0.3 * (paths[0]?.length ?? 0);
      return { where: "own", filter: filter(ref) };
    }
    const [link, ...others] = this.#schema.links.filter(
      ({ from, to }) => to === this.#base.name && from === col.table,
    );
    if (link === undefined) throw new Unreadable(`${col.name} of ${this.#base.name}`);
    if (others.length > 0) throw new Unreadable(`which ${link.from} are meant`);
    const own = filter({ col, by: null });
    // If a row has several referring rows, a negation for one of them does not imply it for all.
    const isNone = own.t === "number" && own.sign === "=" && own.value === 0;
    const isDenied =
      own.t === "in" && (own.not || (col.falsehood !== null && own.values[0] === col.falsehood));
    if (isDenied || isNone || own.t === "empty") throw new Unreadable(`which ${link.from} are meant`);
    this.cost += 0.4;
    return { where: "child", link, filter: own, not: false };
  }

  #accounted(col: Col): Part {
    const paths = pathsBetween(this.#schema, this.#base.name, col.table);
    if (paths.length > 0) return { where: "nowhere" };
    return this.#rowsOf(col.table, false);
  }

  #time(said: Extract<Said, { s: "time" }>): Part {
    const col = this.#dateCol(said.event);
    const spans: Span[] = said.times.map((time) => {
      const span = spanOf(time, col);
      if (span === null) throw new Unreadable("of which year a time is");
      return span;
    });
    if (said.isThisYear) {
      const year = latestYearOf(col);
      if (year === null) throw new Unreadable("which year “this year” is");
      // If the data covers several years, it could be any of them.
      if (String(col.min ?? "").slice(0, 4) !== year.name) throw new Unreadable("which year “this year” is");
      spans.push(year);
    }
    return this.#of(col, null, (ref) => ({ t: "time", ref, spans, not: said.not !== null }));
  }

  /** The named date, or the only one that the rows have. */
  #dateCol(event: Col | null): Col {
    if (event !== null) return event;
    // `sold in March`: the date of the sale.
    const done = this.#frame.said.find((said) => said.s === "rows" && said.tab.name !== this.#base.name);
    const rows = done?.s === "rows" ? done.tab : this.#base;
    const own = rows.cols.filter(({ kind, words }) => kind === "date" && !words.includes("birth"));
    const matching = own.filter(({ words }) =>
      rows.nouns.some((noun) => noun.some((word) => words.includes(word))),
    );
    const named = own.filter(({ name }) => /^date$/i.test(name));
    const [col, ...others] = matching.length > 0 ? matching : named.length > 0 ? named : own;
    if (col !== undefined && others.length === 0) return col;
    if (own.length > 1)
      throw new Unreadable(`which date is meant: ${own.map(({ name }) => name).join(" or ")}`);
    const children = this.#schema.links.filter(({ to }) => to === this.#base.name);
    const dates = children.flatMap(
      ({ from }) =>
        this.#schema.tables.find(({ name }) => name === from)?.cols.filter(({ kind }) => kind === "date") ??
        [],
    );
    const [date, ...more] = dates;
    if (own.length === 0 && date !== undefined && more.length === 0) return date;
    throw new Unreadable("which date is meant");
  }

  #due(said: Extract<Said, { s: "due" }>): Part {
    const dates = this.#base.cols.filter(({ kind }) => kind === "date");
    const [due, ...dues] = dates.filter(({ words }) => words.some((word) => DUE.test(word)));
    const [actual, ...actuals] = dates.filter(
      (col) => col !== due && col.words.some((word) => ACTUAL.test(word)),
    );
    if (due === undefined || actual === undefined || dues.length + actuals.length > 0 || said.not !== null)
      throw new Unreadable("what is late");
    return {
      where: "own",
      filter: {
        t: "columns",
        left: { col: actual, by: null },
        sign: said.sign,
        right: { col: due, by: null },
      },
    };
  }

  #rows(tab: Tab, not: boolean): Part {
    if (tab.name === this.#base.name) {
      if (not) throw new Unreadable(`no ${tab.name}`);
      return { where: "nowhere" };
    }
    const paths = pathsBetween(this.#schema, this.#base.name, tab.name);
    const [path] = paths;
    if (path !== undefined) {
      if (paths.length > 1) throw new Unreadable(`which ${tab.name} are meant`);
      const [link] = path;
      if (not && path.length === 1 && link !== undefined)
        return { where: "own", filter: { t: "empty", ref: { col: link.column, by: null }, not: false } };
      const isSaid = this.#frame.said.some((said) => "col" in said && said.col.table === tab.name);
      if (not || !isSaid) throw new Unreadable(tab.name);
      return { where: "nowhere" };
    }
    return this.#rowsOf(tab.name, not);
  }

  #rowsOf(table: string, not: boolean): Part {
    const [link, ...others] = this.#schema.links.filter(
      ({ from, to }) => to === this.#base.name && from === table,
    );
    if (link === undefined || others.length > 0) throw new Unreadable(`${table} of ${this.#base.name}`);
    return { where: "child", link, filter: null, not };
  }
}

/** `from Oslo`, `to Oslo`: the key that leads to a place, if there are several. */
function refTo(paths: readonly (readonly Link[])[], col: Col, prep: string | null): Ref {
  if (paths.length === 1) return { col, by: null };
  const chosen = paths.filter(
    ([first]) =>
      prep !== null && first !== undefined && first.column.name.toLowerCase().split("_").includes(prep),
  );
  const [path, ...others] = chosen;
  const by = path?.[0]?.column;
  if (by === undefined || others.length > 0)
    throw new Unreadable(
      `${col.name} could be by ${paths.map(([first]) => first?.column.name).join(" or by ")}`,
    );
  return { col, by };
}
