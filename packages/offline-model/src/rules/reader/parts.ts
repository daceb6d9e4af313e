/** The parts of questions' shapes: used nouns, the current rows, groups and conditions. */
import { isOfEvents, kindsOfCol } from "./deeds.ts";
import { factorOf, type Frame, isNumber, isOfUnit, type Noun } from "./said.ts";
import {
  type Expr,
  type Figure,
  type Filter,
  type Group,
  type Meaning,
  type Ref,
  Unreadable,
} from "./meaning.ts";
import { type Col, pathsBetween, type Schema, type Tab } from "./schema.ts";
import { type Settled, settle } from "./settle.ts";

type Grouped = Extract<Meaning, { shape: "figures" }>;
type Rows = Extract<Meaning, { shape: "rows" }>;

export type Given = {
  readonly frame: Frame;
  /** The table of the current rows. */
  readonly base: Tab;
  readonly schema: Schema;
  /** The meaning of `who` or `where`. */
  readonly head: Noun | null;
  /** Whether the question expects yes or no. */
  readonly isQuestion: boolean;
};

export class Parts {
  readonly frame: Frame;
  readonly base: Tab;
  readonly schema: Schema;
  readonly head: Noun | null;
  readonly isQuestion: boolean;
  /** Nouns that no part of the meaning has used yet. */
  readonly left: Set<Noun>;
  /** Words not accounted for yet. */
  flags: Set<string>;
  cost: number;
  usesHaving = false;
  /** A figure of referenced rows is counted once for each current row. */
  isOfEvents = false;

  constructor({ frame, base, schema, head, isQuestion }: Given) {
    this.frame = frame;
    this.base = base;
    this.schema = schema;
    this.head = head;
    this.isQuestion = isQuestion;
    this.left = new Set(frame.nouns);
    this.cost = frame.cost;
    this.flags = new Set(frame.flags);
    for (const neutral of ["and", "total", "addup"]) this.flags.delete(neutral);
    const isDenied = frame.said.some(({ not }) => not !== null);
    if (isQuestion || isDenied) this.flags.delete("any");
  }

  grouped(given: Pick<Grouped, "filters" | "figures" | "groups"> & Partial<Grouped>): Meaning {
    return {
      shape: "figures",
      base: this.base,
      order: null,
      ranks: null,
      together: false,
      having: null,
      ...given,
    };
  }

  rows(given: Pick<Rows, "filters" | "shown"> & Partial<Rows>): Meaning {
    return {
      shape: "rows",
      base: this.base,
      by: null,
      order: "most",
      ranks: null,
      isValues: false,
      ...given,
    };
  }

  take(noun: Noun | undefined): Noun {
    if (noun === undefined) throw new Unreadable("what is asked for");
    this.left.delete(noun);
    return noun;
  }

  nouns(): readonly Noun[] {
    return [...this.left].toSorted((one, other) => one.at - other.at);
  }

  firstAfter(at: number, fits: (noun: Noun) => boolean): Noun | undefined {
    return this.nouns().find((noun) => noun.at > at && fits(noun));
  }

  /** The conditions; every unused noun must be the noun for the rows or one of their events. */
  settled(): Settled {
    const events: Col[] = [];
    for (const noun of this.nouns()) {
      const { of } = noun;
      if (of.n === "col" && of.col.kind === "date") {
        events.push(of.col);
        this.left.delete(noun);
      } else if (of.n === "stuff" && of.tab.name === this.base.name) this.left.delete(noun);
      else if (of.n === "ent" && this.isAccounted(of.tab, noun)) this.left.delete(noun);
    }
    const [rest] = this.nouns();
    if (rest !== undefined) throw new Unreadable(`“${rest.text}”`);
    if (this.frame.buckets.length > 0) throw new Unreadable("a stretch of time");
    const settled = settle(this.frame, this.base, this.schema, events);
    this.cost += settled.cost;
    const hasHaving = this.frame.having !== null && !this.usesHaving;
    if (hasHaving) throw new Unreadable("how many rows");
    return settled;
  }

  /** The rows themselves, rows that refer to them, or the kind of a named value: `teacher Nolan`. */
  isAccounted(tab: Tab, noun: Noun): boolean {
    if (tab.name === this.base.name) return true;
    const isNamed = this.frame.said.some(
      (said) =>
        (said.s === "values" || said.s === "bool") &&
        Math.abs(said.at - noun.at) <= 2 &&
        (said.col.table === tab.name || this.refersTo(said.col, tab)),
    );
    if (isNamed) return true;
    const isChild = this.schema.links.some(({ from, to }) => from === tab.name && to === this.base.name);
    // Conditions on these rows imply that there are some.
    return isChild && this.frame.said.some((said) => "col" in said && said.col.table === tab.name);
  }

  refersTo(col: Col, tab: Tab): boolean {
    return this.schema.links.some(({ column, to }) => column === col && to === tab.name);
  }

  filters(): readonly Filter[] {
    return this.settled().filters.map(({ filter }) => filter);
  }

  own(col: Col): Ref {
    const paths = pathsBetween(this.schema, this.base.name, col.table);
    const [path] = paths;
    if (path === undefined) throw new Unreadable(`${col.name} of ${this.base.name}`);
    if (paths.length > 1) throw new Unreadable(`which ${col.name} is meant`);
    this.cost += 0.3 * path.length;
    return { col, by: null };
  }

  /**
   * A figure's column belongs to the current rows. If it belongs to rows that they refer to, it is counted once for each current
   * row: that is intended for distances and times of the rows' actions, and for nothing else.
   */
  measure(col: Col): Expr {
    if (col.table === this.base.name) return { e: "col", ref: { col, by: null } };
    const isNamed = this.frame.nouns.some(({ of }) => of.n === "ent" && of.tab === this.base);
    const own = kindsOfCol(col);
    const isRival = this.base.cols.some((other) => [...kindsOfCol(other)].some((kind) => own.has(kind)));
    if (!isOfEvents(col) || !(this.isDone() || isNamed || this.frame.deeds.length > 0) || isRival)
      throw new Unreadable(`${col.name} of ${this.base.name}`);
    this.isOfEvents = true;
    return { e: "col", ref: this.own(col) };
  }

  /** A verb for the current rows: `sailed` of sailings. */
  isDone(): boolean {
    const isSaid = this.frame.said.some(
      (said) => said.s === "rows" && said.not === null && said.tab === this.base,
    );
    return (
      isSaid ||
      this.frame.nouns.some(({ of, text }) => of.n === "ent" && of.tab === this.base && /ed$/i.test(text))
    );
  }

  /** Rows selected through referring rows count once each: the question must ask for that. */
  checkFanned(figures: readonly Figure[], filters: readonly Filter[]): void {
    const isChosen = filters.some((filter) => filter.t === "exists" && !filter.not);
    if (!isChosen) return;
    const isNamed = this.frame.nouns.some(({ of }) => of.n === "ent" && of.tab === this.base);
    const isOnce = figures.every(
      ({ agg, expr }) =>
        expr === null || agg === "distinct" || (isNamed && expr.e === "col" && !isOfEvents(expr.ref.col)),
    );
    if (!isOnce) throw new Unreadable("whether each row counts once or as often as it is referred to");
  }

  /** The only amount of the current rows: how much of something. */
  goodsCol(): Col {
    const [col, ...others] = this.base.cols.filter((one) => kindsOfCol(one).has("goods"));
    if (col === undefined || others.length > 0) throw new Unreadable("which amount is meant");
    return col;
  }

  /** The only column with a unit: of the current rows, or of those that they refer to. */
  ofUnit(unit: string): Col {
    const isOf = (col: Col) =>
      isNumber(col) && isOfUnit(unit, col) && factorOf(unit, col) === 1 && col.adds !== "rate";
    const own = this.base.cols.filter(isOf);
    const parents = this.schema.tables.filter(
      ({ name }) => pathsBetween(this.schema, this.base.name, name).length > 0,
    );
    const [col, ...others] = own.length > 0 ? own : parents.flatMap(({ cols }) => cols.filter(isOf));
    if (col === undefined || others.length > 0) throw new Unreadable(`which ${unit} are meant`);
    return col;
  }

  /** The only column by which the current rows refer to those of another table. */
  refTo(tab: Tab): Col {
    const [link, ...others] = this.schema.links.filter(
      ({ from, to }) => from === this.base.name && to === tab.name,
    );
    if (link === undefined || others.length > 0) throw new Unreadable(`which ${tab.name} are meant`);
    return link.column;
  }

  isHere(noun: Noun): boolean {
    return noun.of.n === "ent"
      ? noun.of.tab.name === this.base.name
      : noun.of.n === "col" && noun.of.col.table === this.base.name;
  }

  groups(): readonly Group[] {
    const isMiddle = this.frame.aggs.some(({ agg }) => agg === "average" || agg === "median");
    const groups = this.frame.groups.filter((group) => !(isMiddle && this.isPerRow(group)));
    return groups.map((group): Group => {
      if ("bucket" in group) {
        const [date, ...others] = this.base.cols.filter(({ kind }) => kind === "date");
        if (date === undefined || others.length > 0) throw new Unreadable("which date is meant");
        return { g: "bucket", ref: { col: date, by: null }, bucket: group.bucket };
      }
      return this.groupOf(group);
    });
  }

  groupOf(noun: Noun): Group {
    if (noun.of.n === "ent") return this.groupOfRows(noun.of.tab);
    if (noun.of.n !== "col") throw new Unreadable(`“${noun.text}”`);
    if (noun.of.col.kind === "number") throw new Unreadable(`“${noun.text}”`);
    return { g: "col", ref: this.own(noun.of.col), also: [] };
  }

  /** Each row that the current rows refer to, by its key and name. */
  groupOfRows(tab: Tab): Group {
    if (tab.name === this.base.name) {
      const [first, ...rest] = tab.labels;
      if (first === undefined) throw new Unreadable(`what tells ${tab.name} apart`);
      return { g: "col", ref: { col: first, by: null }, also: rest.map((col) => ({ col, by: null })) };
    }
    const paths = pathsBetween(this.schema, this.base.name, tab.name);
    const [path] = paths;
    if (path === undefined || paths.length > 1) throw new Unreadable(`which ${tab.name} are meant`);
    this.cost += 0.1 * path.length;
    const key = path.at(-1)?.key;
    const labels = [...new Set([...tab.labels, ...(key === undefined ? [] : [key])])];
    const [first, ...rest] = labels;
    if (first === undefined) throw new Unreadable(`what tells ${tab.name} apart`);
    return { g: "col", ref: { col: first, by: null }, also: rest.map((col) => ({ col, by: null })) };
  }

  /** `the average price per order`, if a row is an order: of each row. */
  isPerRow(group: Frame["groups"][number]): boolean {
    return "of" in group && group.of.n === "ent" && group.of.tab.name === this.base.name;
  }

  isLabel(col: Col): boolean {
    return this.base.labels.includes(col);
  }

  fail(reason: string): never {
    throw new Unreadable(reason);
  }
}
