/** Questions with a superlative: which rows or groups come first, and by which figure. */
import { Figures } from "./figures.ts";
import { isNumber, type Noun, type Sup } from "./said.ts";
import { type Expr, type Figure, type Meaning, type Ref, Unreadable } from "./meaning.ts";
import type { Col } from "./schema.ts";
import { rootOf } from "../words/tokens.ts";

type RankedBy =
  | { readonly kind: "count" }
  | { readonly kind: "row"; readonly expr: Expr; readonly order: "most" | "least" }
  | { readonly kind: "sum"; readonly figure: Figure };

export class Ranks extends Figures {
  ranked(sup: Sup): Meaning {
    const { ask } = this.frame;
    const isOther = sup.isDate || sup.often || sup.kinds !== null;
    if (this.frame.aggs.length > (isOther ? 0 : 1) || this.frame.aggs.some(({ at }) => at < sup.at))
      throw new Unreadable("what is ranked and what is added up");
    if (this.frame.groups.length > 0 || this.frame.having !== null) throw new Unreadable("a rank in groups");
    const found =
      this.head ??
      this.nouns().find(
        (noun) =>
          noun.of.n === "ent" ||
          (noun.of.n === "col" && !isNumber(noun.of.col) && noun.of.col.kind !== "date"),
      );
    const isWhen = ask === "when";
    // `the lowest price of a hire` is a price, not a hire.
    const measured = this.firstAfter(sup.at, ({ of }) => of.n === "col" && isNumber(of.col));
    const isFigure =
      ask === "what" &&
      this.head === null &&
      measured !== undefined &&
      found !== undefined &&
      found.at > measured.at;
    const head = isFigure ? undefined : found;
    const ranks = sup.count ?? 1;
    const by = this.rankedBy(sup, head);
    if (head !== undefined) this.left.delete(head);
    if (isWhen) return this.whenRanked(by, sup);
    if (head === undefined) return this.extreme(by, sup);
    if (by.kind === "count") {
      const groups = [this.groupOf(head)];
      return this.grouped({
        filters: this.filters(),
        figures: [{ agg: "count", expr: null }],
        groups,
        order: sup.dir,
        ranks,
      });
    }
    if (this.flags.has("single") && by.kind === "row") this.flags.delete("single");
    if (head.of.n === "ent" && head.of.tab.name === this.base.name) {
      if (by.kind !== "row") throw new Unreadable("what it is ranked by");
      const extra = this.extraColumns();
      return this.rows({ filters: this.filters(), shown: extra, by: by.expr, order: by.order, ranks });
    }
    if (by.kind === "sum") {
      const groups = [this.groupOf(head)];
      return this.grouped({ filters: this.filters(), figures: [by.figure], groups, order: sup.dir, ranks });
    }
    if (head.of.n !== "col" || head.of.col.table !== this.base.name) throw new Unreadable("what is ranked");
    if (head.of.col.kind === "bool") throw new Unreadable(`which ${head.of.col.name}`);
    // One row has it: the person or thing that the row names.
    const filters = this.filters();
    return this.rows({
      filters,
      shown: [{ col: head.of.col, by: null }],
      by: by.expr,
      order: by.order,
      ranks,
    });
  }

  extraColumns(): readonly Ref[] {
    if (!this.frame.flags.has("and")) return [];
    return this.nouns().flatMap((noun) => {
      if (noun.of.n !== "col" || noun.of.col.kind === "date") return [];
      this.take(noun);
      return [this.own(noun.of.col)];
    });
  }

  whenRanked(by: RankedBy, sup: Sup): Meaning {
    const dates = this.nouns().filter(({ of }) => of.n === "col" && of.col.kind === "date");
    const [date, ...others] = dates;
    const expr = by.kind === "row" ? by.expr : null;
    if (expr === null || others.length > 0) throw new Unreadable("which date is asked for");
    const shown: Col | undefined =
      date?.of.n === "col"
        ? date.of.col
        : expr.e === "col" && expr.ref.col.kind === "date"
          ? expr.ref.col
          : undefined;
    if (date !== undefined) this.take(date);
    if (shown === undefined) throw new Unreadable("which date is asked for");
    return this.rows({
      filters: this.filters(),
      shown: [this.own(shown)],
      by: expr,
      order: by.kind === "row" ? by.order : sup.dir,
      ranks: sup.count ?? 1,
    });
  }

  /** `the highest price in West`: only the figure. */
  extreme(by: RankedBy, sup: Sup): Meaning {
    if (by.kind === "row") this.flags.delete("single");
    if (by.kind !== "row" || sup.count !== null) throw new Unreadable("what is ranked");
    const value = this.frame.said.find(
      ({ s, at }) => (s === "values" || s === "bool") && (at === sup.at + 1 || at === 1),
    );
    const isRow = this.frame.ask === "which" || this.frame.ask === "who" || sup.kinds !== null;
    if (
      isRow &&
      value !== undefined &&
      "col" in value &&
      value.not === null &&
      value.col.table === this.base.name &&
      this.base.labels.length > 0
    ) {
      // `the cheapest bread`: the value names the rows.
      this.cost += 0.2;
      return this.rows({ filters: this.filters(), shown: [], by: by.expr, order: by.order, ranks: 1 });
    }
    if (sup.kinds !== null || by.expr.e !== "col" || this.frame.ask === "which" || this.frame.ask === "who")
      throw new Unreadable("what is ranked");
    const agg = by.order === "most" ? "highest" : "lowest";
    return this.figuresOf([{ agg, expr: by.expr }]);
  }

  rankedBy(sup: Sup, head: Noun | undefined): RankedBy {
    if (sup.isDate) return this.byDate(sup);
    if (sup.often) return this.byTimes(sup, head);
    if (sup.kinds !== null) return this.byKind(sup, sup.kinds, head);
    const agg = this.frame.aggs[0]?.agg ?? null;
    const number =
      this.firstAfter(sup.at, ({ of }) => of.n === "col" && isNumber(of.col)) ??
      this.nouns().find(({ of }) => of.n === "col" && isNumber(of.col));
    const money = this.nouns().find(({ of }) => of.n === "money");
    if (number?.of.n === "col") {
      this.take(number);
      return this.byColumn(number, number.of.col, { agg, sup, head });
    }
    if (money !== undefined) {
      this.take(money);
      if (agg !== null && agg !== "sum") throw new Unreadable("which figure it is ranked by");
      return { kind: "sum", figure: { agg: "sum", expr: this.measure(this.moneyCol()) } };
    }
    const amount = this.firstAfter(sup.at, ({ of }) => of.n === "stuff" || of.n === "unit");
    if (amount !== undefined && agg === null && /^(?:the )?(?:most|least|fewest)$/i.test(sup.text)) {
      this.take(amount);
      const col = amount.of.n === "unit" ? this.ofUnit(amount.of.unit) : this.goodsCol();
      if (head?.of.n === "ent" && head.of.tab === this.base)
        return { kind: "row", expr: this.measure(col), order: sup.dir };
      return { kind: "sum", figure: { agg: "sum", expr: this.measure(col) } };
    }
    const rows = this.firstAfter(sup.at, (noun) => noun !== head && noun.of.n === "ent" && this.isHere(noun));
    // `who has paid the most`: money, if no other figure is named.
    const isPaid = this.frame.flags.has("pays") && /^(?:most|least)$/i.test(sup.text) && agg === null;
    if (isPaid && this.firstAfter(sup.at, () => true) === undefined)
      return { kind: "sum", figure: { agg: "sum", expr: this.measure(this.moneyCol()) } };
    if (rows === undefined || agg !== null || !/most|fewest|highest|largest/.test(sup.text.toLowerCase()))
      throw new Unreadable(`what “${sup.text}” is of`);
    this.take(rows);
    return { kind: "count" };
  }

  /** `used the most times`; followed by a noun, it is open what is counted. */
  byTimes(sup: Sup, head: Noun | undefined): RankedBy {
    const isCounted =
      this.firstAfter(sup.at, (noun) => noun !== head) !== undefined ||
      this.frame.said.some(({ s, at }) => s === "rows" && at > sup.at);
    if (/times/i.test(sup.text) && isCounted) throw new Unreadable(`how often “${sup.text}” is meant`);
    return { kind: "count" };
  }

  byColumn(
    noun: Noun,
    col: Col,
    { agg, sup, head }: { agg: Figure["agg"] | null; sup: Sup; head: Noun | undefined },
  ): RankedBy {
    const expr = this.measure(col);
    const isOwnRow = head?.of.n === "ent" && head.of.tab.name === this.base.name;
    const isOneEach = isOwnRow || (head?.of.n === "col" && head.of.col.unique);
    if (agg !== null) {
      if (isOwnRow) throw new Unreadable("an aggregate of one row");
      return { kind: "sum", figure: { agg, expr } };
    }
    if (head === undefined || isOneEach) return { kind: "row", expr, order: sup.dir };
    const isAll = /^(?:the )?(?:most|least|fewest)$/i.test(sup.text) || this.frame.flags.has("total");
    // `the highest sales` are all of them; `the highest fines` can be single ones, or totals.
    const isPlural = /s$/i.test(noun.text) && /s$/i.test(col.name);
    if ((isAll || isPlural) && col.adds !== "rate") return { kind: "sum", figure: { agg: "sum", expr } };
    throw new Unreadable(`whether ${col.name} is meant in all or of one row`);
  }

  byDate(sup: Sup): RankedBy {
    const noun = this.nouns().find(
      ({ of }) => of.n === "col" && of.col.kind === "date" && of.col.table === this.base.name,
    );
    const dates = this.base.cols.filter(
      ({ kind, words }) => (kind === "date" || kind === "year") && !words.includes("birth"),
    );
    const [only, ...others] = dates;
    const col = noun?.of.n === "col" ? noun.of.col : others.length === 0 ? only : undefined;
    if (col === undefined) throw new Unreadable(`which date “${sup.text}” is of`);
    if (noun !== undefined && this.frame.ask !== "when") this.take(noun);
    return { kind: "row", expr: this.measure(col), order: sup.dir };
  }

  /** `heaviest` of a weight; `oldest` of an age or, inverted, of a date of birth or manufacture. */
  byKind(sup: Sup, kinds: readonly string[], head: Noun | undefined): RankedBy {
    const isOf = (col: Col) =>
      isNumber(col) &&
      (col.words.some((word) => kinds.includes(word)) || (col.unit !== null && kinds.includes(col.unit)));
    const own = this.base.cols.filter(isOf);
    const isAge = kinds.includes(rootOf("age"));
    const births = isAge && own.length === 0 ? this.base.cols.filter(isStart) : [];
    const [col, ...others] = own.length > 0 ? own : births;
    if (col === undefined || others.length > 0) throw new Unreadable(`what “${sup.text}” is of`);
    const isOwnRow =
      head === undefined ||
      (head.of.n === "ent" && head.of.tab.name === this.base.name) ||
      (head.of.n === "col" && head.of.col.unique);
    if (!isOwnRow) throw new Unreadable(`whether “${sup.text}” is in all or of one row`);
    const order = births.includes(col) ? (sup.dir === "most" ? "least" : "most") : sup.dir;
    return { kind: "row", expr: this.measure(col), order };
  }
}

/** The date when something began to exist: the oldest has the earliest one. */
function isStart({ kind, words }: Col): boolean {
  return (
    (kind === "date" || kind === "year") &&
    words.some((word) => /^(?:birth|born|made|mak|built|build|found)$/.test(word))
  );
}
