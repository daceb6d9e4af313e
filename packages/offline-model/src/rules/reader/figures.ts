/** Questions about figures: how many, how much, averages, shares, and the difference of two sides. */
import { areMoved } from "./deeds.ts";
import { type Frame, isNumber } from "./said.ts";
import { type Figure, type Filter, type Meaning, Unreadable } from "./meaning.ts";
import { Parts } from "./parts.ts";
import type { Col } from "./schema.ts";
import type { Settled } from "./settle.ts";

export class Figures extends Parts {
  figuresOf(figures: readonly Figure[]): Meaning {
    const groups = [...this.groups()];
    const bound = this.frame.said.find(({ s }) => s === "number");
    if (bound !== undefined && this.frame.groups.some(({ at }) => at < bound.at))
      throw new Unreadable("whether rows or groups are bounded");
    const settled = this.settled();
    const filters = settled.filters.map(({ filter }) => filter);
    const areCounted = figures.some(({ agg, expr }) => agg === "count" && expr === null);
    if (areCounted && !this.frame.flags.has("different") && areMoved(this.schema, filters))
      throw new Unreadable(`whether different ${this.base.name} are meant`);
    this.checkFanned(figures, filters);
    const versus = this.flags.delete("versus");
    // For several values, each is reported, and their total.
    const listed = settled.filters.filter(
      ({ filter, said }) =>
        filter.t === "in" && !filter.not && filter.values.length > 1 && said.s === "values",
    );
    const [list] = listed;
    if (groups.length === 0 && list?.filter.t === "in") {
      const adds = figures.every(({ agg }) => agg === "sum" || agg === "count");
      const isRepeated = list.said.s === "values" && list.said.isRepeated;
      if (!adds && !isRepeated && !versus)
        throw new Unreadable("whether one figure is wanted or one of each");
      return this.grouped({
        filters,
        figures,
        groups: [{ g: "col", ref: list.filter.ref, also: [] }],
        together: adds,
      });
    }
    if (versus) {
      return this.versus(figures, settled);
    }
    return this.grouped({ filters, figures, groups });
  }

  /** `compared with`: two values of one column, or two times. */
  versus(figures: readonly Figure[], settled: Settled): Meaning {
    const [figure, ...more] = figures;
    const pair = this.pairOf(settled);
    if (figure === undefined || more.length > 0 || pair === null) throw new Unreadable("what is compared");
    return { shape: "sides", base: this.base, figure, filters: pair.rest, sides: pair.sides, isRate: false };
  }

  pairOf({
    filters,
  }: Settled): { sides: { name: string; filters: readonly Filter[] }[]; rest: readonly Filter[] } | null {
    const times = filters.filter(
      ({ filter }) => filter.t === "time" && !filter.not && filter.spans.length === 1,
    );
    if (times.length === 2) {
      const sides = times.map(({ filter }) => ({
        name: filter.t === "time" ? (filter.spans[0]?.name ?? "") : "",
        filters: [filter],
      }));
      return { sides, rest: filters.filter((one) => !times.includes(one)).map(({ filter }) => filter) };
    }
    for (const one of filters) {
      const { filter } = one;
      const rest = filters.filter((each) => each !== one).map((each) => each.filter);
      if (filter.t === "time" && !filter.not && filter.spans.length === 2)
        return {
          sides: filter.spans.map((span) => ({ name: span.name, filters: [{ ...filter, spans: [span] }] })),
          rest,
        };
      if (filter.t === "in" && !filter.not && filter.values.length === 2)
        return {
          sides: filter.values.map((name) => ({ name, filters: [{ ...filter, values: [name] }] })),
          rest,
        };
    }
    const values = filters.filter(({ filter }) => filter.t === "in" && !filter.not);
    for (const [index, one] of values.entries())
      for (const other of values.slice(index + 1)) {
        if (one.filter.t !== "in" || other.filter.t !== "in" || one.filter.ref.col !== other.filter.ref.col)
          continue;
        const sides = [one, other].map(({ filter }) => ({
          name: filter.t === "in" ? filter.values.join(" or ") : "",
          filters: [filter],
        }));
        return {
          sides,
          rest: filters.filter((each) => each !== one && each !== other).map(({ filter }) => filter),
        };
      }
    return null;
  }

  sides(): Meaning {
    this.flags.delete("more");
    this.flags.delete("morerows");
    this.flags.delete("difference");
    this.flags.delete("than");
    this.flags.delete("versus");
    this.flags.delete("byhowmuch");
    this.flags.delete("or");
    if (this.frame.sups.length > 0 || this.frame.groups.length > 0)
      throw new Unreadable("a rank or groups in a difference");
    const figure = this.mainFigure();
    const settled = this.settled();
    const pair = this.pairOf(settled);
    if (pair === null) throw new Unreadable("what is compared");
    return { shape: "sides", base: this.base, figure, filters: pair.rest, sides: pair.sides, isRate: false };
  }

  /** The one figure of a question: the aggregated column, a count of rows, or money. */
  mainFigure(): Figure {
    const agg = this.frame.aggs[0]?.agg ?? (this.flags.delete("onaverage") ? "average" : null);
    if (this.frame.aggs.length > 1) throw new Unreadable("two aggregates");
    const numbers = this.nouns().filter(({ of }) => of.n === "col" && isNumber(of.col));
    const [number, ...others] = numbers;
    if (others.length > 0) throw new Unreadable("two figures");
    const isMuch = this.frame.ask === "how much";
    const after = this.frame.aggs[0];
    if (after !== undefined && number !== undefined && number.at < after.at)
      throw new Unreadable("what the figure is of");
    if (number?.of.n === "col") {
      this.take(number);
      const isAsked =
        this.frame.ask === "how many" ||
        this.frame.flags.has("more") ||
        this.frame.flags.has("total") ||
        this.frame.flags.has("addup");
      return { agg: agg ?? this.sumOf(number.of.col, isAsked), expr: this.measure(number.of.col) };
    }
    const money = this.nouns().find(({ of }) => of.n === "money");
    if (money !== undefined || isMuch || this.frame.flags.has("more")) {
      if (money !== undefined) this.take(money);
      return { agg: agg ?? "sum", expr: this.measure(this.moneyCol()) };
    }
    const rows = this.nouns().find((noun) => noun.of.n === "ent" && this.isHere(noun));
    // `the total of the donations`: their number, or their money.
    if (agg === "sum" && this.base.cols.some((col) => isNumber(col) && col.isMoney && col.adds !== "rate"))
      throw new Unreadable("whether rows or money are added up");
    if (rows === undefined || agg === "average" || agg === "median")
      throw new Unreadable("which figure is wanted");
    this.take(rows);
    return { agg: "count", expr: null };
  }

  /** The only money column that is added up. */
  moneyCol(): Col {
    const own = this.base.cols.filter((col) => isNumber(col) && col.isMoney && col.adds !== "rate");
    const [col, ...others] = own;
    if (col === undefined || others.length > 0) throw new Unreadable("which money is meant");
    return col;
  }

  /** Flow figures are added up by default; others only if the question requests it. */
  sumOf(col: Col, isAsked: boolean): "sum" {
    if (col.adds === "rate" || (col.adds === "other" && !isAsked))
      throw new Unreadable(`whether ${col.name} is to be added up`);
    return "sum";
  }

  howMany(): Meaning {
    const { having } = this.frame;
    const first = this.nouns()[0];
    const before = this.frame.said.find(({ s, at }) => s === "rows" && first !== undefined && at < first.at);
    if (before !== undefined) throw new Unreadable("what is counted");
    const isDifferent = this.flags.delete("different");
    const value = this.frame.said.find(({ s, at }) => s === "values" && at === 1);
    if (having !== null) throw new Unreadable("how many have how many");
    if (first === undefined || (value !== undefined && first.at > 1 && !(first.of.n === "ent"))) {
      // `how many nurses`: the value names the rows.
      if (value?.s !== "values" || value.col.table !== this.base.name || isDifferent)
        throw new Unreadable("what is counted");
      this.cost += 0.2;
      return this.figuresOf([{ agg: "count", expr: null }]);
    }
    const { of } = first;
    this.take(first);
    if (of.n === "ent") {
      if (isDifferent && of.tab.name !== this.base.name) return this.differentOf(this.refTo(of.tab));
      if (of.tab.name !== this.base.name) throw new Unreadable(`how ${of.tab.name} are counted`);
      if (isDifferent && of.tab.labels.length === 0) throw new Unreadable("which are different");
      return this.figuresOf([{ agg: "count", expr: null }]);
    }
    if (of.n === "unit") {
      return this.figuresOf([{ agg: "sum", expr: this.measure(this.ofUnit(of.unit)) }]);
    }
    if (of.n !== "col") throw new Unreadable("what is counted");
    if (isNumber(of.col)) {
      if (isDifferent) throw new Unreadable(`different ${of.col.name}`);
      return this.figuresOf([{ agg: this.sumOf(of.col, true), expr: this.measure(of.col) }]);
    }
    if (of.col.kind === "key" || first.cost > 0.7 || this.base.labels.includes(of.col))
      throw new Unreadable(`how many ${of.col.name}`);
    if (of.col.kind === "date" || of.col.kind === "bool" || of.col.kind === "time")
      throw new Unreadable(`how many ${of.col.name}`);
    // How many products were sold could mean how many pieces.
    if (!isDifferent && !of.col.isPerson) throw new Unreadable(`whether different ${of.col.name} are meant`);
    return this.differentOf(of.col);
  }

  /** How many values occur; what a row without one or with another implies for a value is open. */
  differentOf(col: Col): Meaning {
    if (this.frame.groups.length > 0) throw new Unreadable("different values in groups");
    if (this.frame.said.some(({ s, not }) => not !== null || s === "number" || s === "empty"))
      throw new Unreadable(`which ${col.name} are meant`);
    return this.figuresOf([{ agg: "distinct", expr: this.measure(col) }]);
  }

  figures(): Meaning {
    const mean = this.frame.groups.find((group) => "bucket" in group && group.isMean);
    if (
      mean !== undefined &&
      (this.frame.aggs.some(({ agg }) => agg === "average") || this.frame.flags.has("onaverage"))
    )
      return this.mean(mean);
    const aggs = this.frame.aggs;
    if (aggs.length <= 1) return this.figuresOf([this.mainFigure()]);
    const figures = aggs.map(({ agg, at }): Figure => {
      const noun = this.firstAfter(at, ({ of }) => of.n === "col" && isNumber(of.col));
      if (noun?.of.n !== "col") throw new Unreadable("which figure is wanted");
      this.take(noun);
      return { agg, expr: this.measure(noun.of.col) };
    });
    return this.figuresOf(figures);
  }

  /** An average per day or month: if rows are days, of their own figures, else of each month's total. */
  mean(per: Frame["groups"][number]): Meaning {
    if (this.frame.groups.length > 1 || !("bucket" in per)) throw new Unreadable("an average in groups");
    const figure = this.mainFigure();
    const [date, ...others] = this.base.cols.filter(({ kind }) => kind === "date");
    if (date === undefined || others.length > 0) throw new Unreadable("which date is meant");
    const filters = this.filters();
    if (per.bucket === "day") {
      // Otherwise it is open whether a day without rows counts.
      if (!date.unique || figure.expr === null) throw new Unreadable("whether days without any count");
      return this.grouped({ filters, figures: [{ ...figure, agg: "average" }], groups: [] });
    }
    const sum: Figure = figure.expr === null ? figure : { ...figure, agg: "sum" };
    if (figure.expr?.e === "col" && figure.expr.ref.col.adds === "rate")
      throw new Unreadable("an average of averages");
    return {
      shape: "mean",
      base: this.base,
      filters,
      figure: sum,
      per: { g: "bucket", ref: { col: date, by: null }, bucket: per.bucket },
    };
  }

  plain(): Meaning {
    return this.figuresOf([this.mainFigure()]);
  }

  share(): Meaning {
    this.flags.delete("share");
    const noun = this.nouns()[0];
    const isPlain =
      this.frame.groups.length === 0 &&
      this.frame.sups.length === 0 &&
      this.frame.aggs.every(({ agg }) => agg === "sum");
    if (noun === undefined || !isPlain) throw new Unreadable("of what the share is");
    this.take(noun);
    const figure: Figure =
      noun.of.n === "ent" && this.isHere(noun)
        ? { agg: "count", expr: null }
        : noun.of.n === "col" && isNumber(noun.of.col) && noun.of.col.adds !== "rate"
          ? { agg: "sum", expr: this.measure(noun.of.col) }
          : this.fail("of what the share is");
    const { filters } = this.settled();
    const behind = filters.filter(({ at }) => at > noun.at || at < 0);
    const isTime = ({ filter }: (typeof filters)[number]) => filter.t === "time" || filter.t === "weekday";
    const focus = behind.some((one) => !isTime(one)) ? behind.filter((one) => !isTime(one)) : behind;
    if (focus.length === 0) throw new Unreadable("which share is wanted");
    if (focus.length > 1) throw new Unreadable("which condition is the share");
    const rest = filters.filter((one) => !focus.includes(one));
    return {
      shape: "share",
      base: this.base,
      figure,
      focus: focus.map(({ filter }) => filter),
      filters: rest.map(({ filter }) => filter),
    };
  }
}
