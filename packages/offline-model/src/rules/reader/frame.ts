/**
 * One way to cut a goal into chunks, sorted into conditions on rows, nouns, figures and ranks, each chunk in exactly one
 * of them. The subject of a condition and the intended rows are determined later, when the current rows are known.
 */
import type { Chunk } from "../words/senses.ts";
import { Mentions } from "./mentions.ts";
import { Unreadable } from "./meaning.ts";
import type { Schema } from "./schema.ts";
import { type Frame, type Item, type Of } from "./said.ts";

const PREPOSITIONS = /^(?:in|on|at|of|from|to|for|with|by|into|as)$/;

export function frameOf(way: readonly Chunk[], schema: Schema): Frame {
  return new Framing(itemsOf(way), schema).frame();
}

function itemsOf(way: readonly Chunk[]): readonly Item[] {
  const items: Item[] = [];
  let skipped: string[] = [];
  for (const chunk of way) {
    if (chunk.k === "skip") {
      skipped.push(chunk.text.toLowerCase());
      continue;
    }
    items.push({ ...chunk, prep: skipped.findLast((word) => PREPOSITIONS.test(word)) ?? null, skipped });
    skipped = [];
  }
  return items;
}

class Framing extends Mentions {
  frame(): Frame {
    while (this.at < this.items.length) {
      const item = this.items[this.at];
      if (item === undefined) break;
      this.take(item);
    }
    if (this.neg !== null) throw new Unreadable(`what “${this.neg.text}” is said of`);
    if (this.count !== null && this.sups.length === 0) throw new Unreadable("a number of nothing");
    const last = this.items.at(-1);
    if (last?.k === "and" || last?.k === "or" || last?.k === "than")
      throw new Unreadable(`“${last.text}” at the end`);
    const cost = this.items.reduce((sum, item) => sum + item.cost, 0);
    const sups = this.sups.map((sup) => ({ ...sup, count: sup.count ?? this.count }));
    return {
      ask: this.ask,
      said: this.said,
      nouns: this.nouns,
      sups,
      aggs: this.aggs,
      deeds: this.deeds,
      groups: this.groups,
      buckets: this.buckets,
      flags: this.flags,
      having: this.having,
      cost,
    };
  }

  take(item: Item): void {
    switch (item.k) {
      case "skip":
        this.at += 1;
        return;
      case "ask":
        if (this.at > 0) throw new Unreadable(`“${item.text}” inside of a question`);
        this.ask = item.ask;
        this.at += 1;
        return;
      case "neg":
        if (this.neg !== null) throw new Unreadable(`“${item.text}” behind “${this.neg.text}”`);
        this.neg = item;
        this.at += 1;
        return;
      case "agg":
        this.aggs.push({ agg: item.agg, at: this.at });
        this.at += 1;
        return;
      case "val":
        return this.values(item);
      case "bool":
        this.said.push({
          s: "bool",
          col: item.col,
          yes: item.yes,
          at: this.at,
          prep: this.prepOf(item.col) ?? item.prep,
          not: this.negated(),
        });
        this.at += 1;
        return;
      case "time":
      case "this":
        return this.times(item);
      case "weekday":
        this.said.push({
          s: "weekday",
          days: item.days,
          at: this.at,
          prep: item.prep,
          not: this.negated(),
          event: this.event,
        });
        this.at += 1;
        return;
      case "cmp":
      case "between":
        return this.comparison(item);
      case "num":
        return this.number(item);
      case "sup":
        return this.superlative(item);
      case "each":
      case "by":
        return this.group(item);
      case "ent":
        return this.entity(item);
      case "col":
        return this.column(item);
      default:
        this.takeOther(item);
    }
  }

  superlative(item: Of<"sup">): void {
    if (this.neg !== null) throw new Unreadable(`“${item.text}” behind “${this.neg.text}”`);
    const next = this.peek(1);
    const count =
      next?.k === "num" && Number.isInteger(next.value) && next.value > 0 && next.value <= 500
        ? next.value
        : null;
    this.sups.push({ ...item, at: this.at, count });
    this.at += count === null ? 1 : 2;
  }

  group(item: Of<"each"> | Of<"by">): void {
    const next = this.peek(1);
    if (item.skipped.includes("by") || next?.skipped.includes("by"))
      throw new Unreadable(`“${item.text} by”`);
    if (next?.k === "bucket") {
      this.groups.push({ at: this.at, bucket: next.bucket, isMean: item.text.toLowerCase() === "per" });
      this.at += 2;
      return;
    }
    if (next?.k !== "ent" && next?.k !== "col") throw new Unreadable(`“${item.text}” without a noun`);
    if (next.k === "col" && (next.col.kind === "number" || next.col.kind === "date" || next.cost > 0.7))
      throw new Unreadable(`“${item.text} ${next.text}”`);
    this.groups.push({
      at: this.at,
      text: next.text,
      prep: next.prep,
      cost: next.cost,
      of: next.k === "ent" ? { n: "ent", tab: next.tab } : { n: "col", col: next.col },
    });
    this.at += 2;
  }

  entity(item: Of<"ent">): void {
    const not = this.negated();
    if (not !== null) this.said.push({ s: "rows", tab: item.tab, at: this.at, prep: item.prep, not });
    else
      this.nouns.push({
        at: this.at,
        text: item.text,
        prep: item.prep,
        cost: item.cost,
        of: { n: "ent", tab: item.tab },
      });
    this.at += 1;
  }

  column(item: Of<"col">): void {
    const { col } = item;
    const not = this.negated();
    const at = this.at;
    this.at += 1;
    if (col.kind === "date") this.event = col;
    if (not === null) {
      this.nouns.push({ at, text: item.text, prep: item.prep, cost: item.cost, of: { n: "col", col } });
      return;
    }
    if (col.kind === "date" && not === "not") {
      if (col.empty === 0) throw new Unreadable(`“${item.text}” that is denied`);
      this.said.push({ s: "empty", col, at, prep: item.prep, not: null });
      return;
    }
    if (not !== "no" && not !== "without") throw new Unreadable(`“${item.text}” that is denied`);
    const hasZero = col.kind === "number" && Number(col.min ?? 0) <= 0;
    const hasGaps = col.empty === null || col.empty > 0;
    if (hasZero && hasGaps) throw new Unreadable(`“${item.text}”, which could be nothing or not known`);
    if (hasZero)
      this.said.push({ s: "number", col, sign: "=", value: 0, to: null, at, prep: item.prep, not: null });
    else this.said.push({ s: "empty", col, at, prep: item.prep, not: null });
  }

  /** Things without a separate column: a period, a unit, money. */
  noun(item: Of<"bucket"> | Of<"unit"> | Of<"money">): void {
    if (item.k === "bucket") this.buckets.push({ at: this.at, bucket: item.bucket });
    else {
      const of = item.k === "unit" ? ({ n: "unit", unit: item.unit } as const) : ({ n: "money" } as const);
      this.nouns.push({ at: this.at, text: item.text, prep: item.prep, cost: item.cost, of });
    }
    this.at += 1;
  }

  /** Verbs and adverbs; any other word applies once to the whole question. */
  takeOther(item: Item): void {
    switch (item.k) {
      case "verb":
        this.said.push({ s: "rows", tab: item.tab, at: this.at, prep: item.prep, not: this.negated() });
        this.at += 1;
        return;
      case "missing":
        return this.missing(item);
      case "due":
        this.said.push({ s: "due", sign: item.sign, at: this.at, prep: item.prep, not: this.negated() });
        this.at += 1;
        return;
      case "bucket":
      case "unit":
      case "money":
        return this.noun(item);
      case "deed":
        return this.deed(item);
      case "stuff":
        return this.stuff(item);
      case "naming":
        return this.naming(item);
      case "single":
        return this.single(item);
      case "pays":
        return this.payment(item);
      case "trail":
        throw new Unreadable(`“${item.text}” without a number`);
      case "still":
        return this.still(item);
      case "more":
        this.flags.add(/^how many/i.test(item.text) ? "morerows" : "more");
        this.at += 1;
        return;
      default:
        // `a share in percent` is one, `a share as a percentage of` another.
        if (this.flags.has(item.k) && item.k !== "and" && !/^in percent$/i.test(item.text))
          throw new Unreadable(`“${item.text}” as well`);
        this.flags.add(item.k);
        this.at += 1;
    }
  }
}
