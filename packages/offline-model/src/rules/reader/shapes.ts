/** From the content of a goal to its question: the shapes of questions, each with the parts it needs and nothing left over. */
import { undoneFilters, withDeeds } from "./deeds.ts";
import { type Frame, type Noun, isNumber } from "./said.ts";
import { PLACES } from "../words/general-words.ts";
import { type Meaning, toldColumns, Unreadable } from "./meaning.ts";
import type { Col, Schema, Tab } from "./schema.ts";
import { Ranks } from "./ranks.ts";

export type Reading = { readonly meaning: Meaning; readonly cost: number };

/** Every meaning of a frame, over each table whose rows could be intended. */
export function readingsOf(
  frame: Frame,
  schema: Schema,
  isQuestion: boolean,
): { readings: readonly Reading[]; reasons: readonly string[] } {
  const readings: Reading[] = [];
  const reasons: string[] = [];
  for (const base of schema.tables)
    for (const head of headsOf(frame, base)) {
      try {
        readings.push(new Shaping({ frame, base, schema, head, isQuestion }).reading());
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        reasons.push(error.message);
      }
    }
  return { readings, reasons };
}

/** What a question with `who` or `where` can be about: each is a separate reading. */
function headsOf(frame: Frame, base: Tab): readonly (Noun | null)[] {
  const noun = (of: Noun["of"]): Noun => ({ at: -1, cost: 0, text: frame.ask ?? "", prep: null, of });
  if (frame.ask === "who") {
    const persons = base.cols.filter(({ isPerson, kind }) => isPerson && kind === "text");
    return [
      ...(base.isPersons ? [noun({ n: "ent", tab: base })] : []),
      ...persons
        .filter((col) => !(base.isPersons && base.labels.includes(col)))
        .map((col) => noun({ n: "col", col })),
    ];
  }
  if (frame.ask === "where")
    return base.cols
      .filter(({ words }) => words.some((word) => PLACES.has(word)))
      .map((col) => noun({ n: "col", col }));
  return [null];
}

class Shaping extends Ranks {
  reading(): Reading {
    const meaning = this.withDeeds(this.shape());
    if (this.flags.has("pays") && isOfMoney(meaning)) this.flags.delete("pays");
    if (this.flags.size > 0) throw new Unreadable(`how “${[...this.flags].join(", ")}” is meant`);
    return { meaning, cost: this.cost };
  }

  /** The verbs accounted for; actions in the current rows must have happened. */
  withDeeds(meaning: Meaning): Meaning {
    const undone = this.isOfEvents ? undoneFilters(this.base, meaning.filters) : [];
    if (undone.length > 0 && !this.isDone() && this.frame.deeds.length === 0)
      throw new Unreadable("whether what was called off counts");
    return withDeeds({ ...meaning, filters: [...meaning.filters, ...undone] }, this.frame.deeds, this.schema);
  }

  shape(): Meaning {
    const { ask, sups, aggs, flags } = this.frame;
    if (flags.has("share")) return this.share();
    if (flags.has("more") || flags.has("morerows") || flags.has("difference")) return this.sides();
    if (sups.length > 1) throw new Unreadable("two ranks");
    const isRanked = ask !== "how many" && ask !== "how much" && ask !== "how often" && ask !== "where";
    if (sups[0] !== undefined) return isRanked ? this.ranked(sups[0]) : this.fail("a rank in a number");
    if (flags.has("addup")) return this.figuresOf([this.mainFigure()]);
    if (aggs.length > 0 || flags.has("onaverage")) return this.figures();
    switch (ask) {
      case "how many":
        return this.howMany();
      case "how much":
        return this.howMuch();
      case "when":
        return this.when();
      case "which":
      case "what":
      case "who":
      case "where":
      case "list":
        return this.list();
      case "how long":
      case "how often":
        throw new Unreadable(`“${ask}”`);
      case null:
        if (this.isQuestion) return this.whether();
        if (this.frame.groups.length === 0) throw new Unreadable("what is asked");
        return this.plain();
      default:
        throw new Unreadable("what is asked");
    }
  }

  howMuch(): Meaning {
    const number = this.nouns().find(({ of }) => of.n === "col" && isNumber(of.col));
    if (number?.of.n === "col" && number.of.col.adds !== "flow") return this.lookup();
    if (number === undefined && this.isOfGoods())
      return this.figuresOf([{ agg: "sum", expr: this.measure(this.goodsCol()) }]);
    return this.figuresOf([this.mainFigure()]);
  }

  /** `how much milk`: the noun that follows is not money. */
  isOfGoods(): boolean {
    const isStuff = this.nouns().some(({ of, at }) => of.n === "stuff" && at <= 2);
    const isValue = this.frame.said.some(({ s, at, not }) => s === "values" && at === 1 && not === null);
    const isOfMoney = this.flags.has("pays") || this.nouns().some(({ of }) => of.n === "money");
    return (
      (isStuff || isValue) &&
      !isOfMoney &&
      this.frame.deeds.every(({ kinds }) => kinds.has("goods") || kinds.has("made"))
    );
  }

  whether(): Meaning {
    // `are there no refunds` is not answered by rows that are none.
    if (this.frame.said.some(({ not }) => not === "no" || not === "without"))
      throw new Unreadable("a denial in a question for yes or no");
    const noun = this.nouns().find(({ of }) => of.n === "ent");
    if (this.frame.groups.length > 0) throw new Unreadable("groups of a question for yes or no");
    if (noun !== undefined) {
      if (noun.of.n === "ent" && noun.of.tab.name !== this.base.name)
        throw new Unreadable("whether there are such rows");
      this.take(noun);
    } else this.cost += 0.5;
    const filters = this.filters();
    if (filters.length === 0) throw new Unreadable("what is asked");
    return { shape: "exists", base: this.base, filters };
  }

  when(): Meaning {
    const dates = this.nouns().filter(({ of }) => of.n === "col" && of.col.kind === "date");
    const [date, ...others] = dates;
    if (date?.of.n !== "col" || others.length > 0) throw new Unreadable("which date is asked for");
    this.take(date);
    return this.shown([date.of.col]);
  }

  /** The named columns of the rows. */
  shown(cols: readonly Col[]): Meaning {
    const shown = cols.map((col) => this.own(col));
    const settled = this.settled();
    const isNamed = settled.filters.some(
      ({ filter }) =>
        filter.t === "in" &&
        !filter.not &&
        (filter.ref.col.unique || this.base.labels.includes(filter.ref.col)),
    );
    if (!isNamed) throw new Unreadable("of which row it is asked");
    if (this.frame.groups.length > 0) throw new Unreadable("groups of one row");
    return this.rows({ filters: settled.filters.map(({ filter }) => filter), shown });
  }

  lookup(): Meaning {
    const cols = this.nouns().flatMap((noun) => (noun.of.n === "col" ? [noun] : []));
    if (cols.length === 0) throw new Unreadable("what is asked for");
    const [only] = cols;
    if (
      cols.length === 1 &&
      only?.of.n === "col" &&
      isNumber(only.of.col) &&
      only.of.col.adds === "flow" &&
      this.frame.ask === "what"
    )
      return this.figuresOf([this.mainFigure()]);
    for (const noun of cols) this.take(noun);
    if (cols.some(({ of }) => of.n === "col" && of.col.words.some((word) => PLACES.has(word))))
      this.flags.delete("lies");
    return this.shown(cols.map(({ of }) => (of.n === "col" ? of.col : this.fail("what is asked for"))));
  }

  list(): Meaning {
    if (this.frame.groups.length > 0) throw new Unreadable("a list in groups");
    const first = this.head ?? this.nouns()[0];
    const value = this.frame.said.find(({ s }) => s === "values" || s === "bool");
    const isValueHead =
      this.head === null && value !== undefined && value.at === 1 && (first === undefined || first.at > 1);
    if (this.frame.ask === "what") return this.lookup();
    if (first?.of.n === "col" && !isValueHead && this.head === null && !this.isLabel(first.of.col)) {
      // `in which room is …`: the columns of a named row.
      const [left, flags, cost] = [[...this.left], [...this.flags], this.cost];
      try {
        return this.lookup();
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        for (const noun of left) this.left.add(noun);
        this.flags = new Set(flags);
        this.cost = cost;
      }
    }
    if (this.head?.of.n === "col" || (first?.of.n === "col" && !isValueHead)) {
      const noun = this.head ?? this.take(first);
      this.left.delete(noun);
      if (
        noun.of.n !== "col" ||
        noun.of.col.table !== this.base.name ||
        isNumber(noun.of.col) ||
        noun.of.col.kind === "date"
      )
        throw new Unreadable("what is listed");
      const having = this.frame.having;
      if (having !== null) return this.counted(noun, having);
      const filters = this.filters();
      if (filters.length === 0) throw new Unreadable("which of them are wanted");
      // For a value that several rows have, one row without something implies nothing.
      const isDenied = this.frame.said.some(({ s, not }) => not !== null || s === "empty");
      if ((isDenied && !noun.of.col.unique) || noun.cost > 0.7 || noun.of.col.kind === "key")
        throw new Unreadable(`which ${noun.of.col.name} are meant`);
      return this.rows({ filters, shown: [{ col: noun.of.col, by: null }], isValues: true });
    }
    if (first?.of.n === "ent" && !isValueHead) {
      if (first.of.tab.name !== this.base.name) throw new Unreadable("which rows are listed");
      if (this.head === null) this.take(first);
    } else if (isValueHead && "col" in value) {
      if (value.col.table !== this.base.name) throw new Unreadable("which rows are listed");
      this.cost += 0.2;
    } else throw new Unreadable("what is listed");
    const shown = this.nouns().flatMap((noun) => {
      if (noun.of.n !== "col" || noun.of.col.kind === "date") return [];
      if (!this.frame.flags.has("and") && noun.prep !== "with") return [];
      this.take(noun);
      return [this.own(noun.of.col)];
    });
    const filters = this.filters();
    if (filters.length === 0) throw new Unreadable("which of them are wanted");
    return this.rows({ filters, shown });
  }

  /** `customers with more than 3 orders`. */
  counted(noun: Noun, having: NonNullable<Frame["having"]>): Meaning {
    if (having.tab.name !== this.base.name) throw new Unreadable("what is counted");
    this.usesHaving = true;
    const filters = this.filters();
    return this.grouped({
      filters,
      figures: [{ agg: "count", expr: null }],
      groups: [this.groupOf(noun)],
      order: "most",
      having,
    });
  }
}

/** Whether a figure is money: paid, charged or given. */
function isOfMoney(meaning: Meaning): boolean {
  return toldColumns(meaning).some(({ isMoney }) => isMoney);
}
