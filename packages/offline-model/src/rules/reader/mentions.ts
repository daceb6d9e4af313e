/** Values, times and adverbs in a goal, each with the words that belong to it. */
import { Bounds } from "./bounds.ts";
import { Unreadable } from "./meaning.ts";
import type { Col } from "./schema.ts";
import type { Of } from "./said.ts";
import type { TimeSense } from "./times.ts";

const ORIGIN = /(?:^|[ _])(?:origin|from|start|departure)(?:$|[ _])/i;
const DESTINATION = /(?:^|[ _])(?:destination|to|arrival)(?:$|[ _])/i;

export class Mentions extends Bounds {
  /** `to ports without a crane`: the noun's preposition belongs to its condition. */
  prepOf(col: Col): string | null {
    const noun = this.nouns.findLast(({ of }) => of.n === "ent" && of.tab.name === col.table);
    return noun !== undefined && this.at - noun.at <= 2 ? noun.prep : null;
  }

  values(item: Of<"val">): void {
    const at = this.at;
    const values = [item.value];
    let isRepeated = false;
    if (this.isOtherEnd(item.col, item.prep)) throw new Unreadable(`“${item.prep} ${item.text}”`);
    this.dropNounBefore(item.col);
    this.at += 1;
    for (;;) {
      const [link, next] = [this.peek(0), this.peek(1)];
      if (link?.k === "val" && link.col === item.col && link.isListed) {
        values.push(link.value);
        this.at += 1;
        continue;
      }
      if ((link?.k === "and" || link?.k === "or") && next?.k === "val" && next.col === item.col) {
        values.push(next.value);
        isRepeated ||= next.prep !== null && next.prep === item.prep;
        this.at += 2;
        continue;
      }
      break;
    }
    const after = this.peek(0);
    if (after?.k === "col" && after.col.name === item.col.name && after.skipped.length === 0) this.at += 1;
    this.said.push({
      s: "values",
      col: item.col,
      values: [...new Set(values)],
      isRepeated,
      at,
      prep: item.prep,
      not: this.negated(),
    });
  }

  /** `from Oslo` is not a destination, if the rows have an origin too. */
  isOtherEnd(col: Col, prep: string | null): boolean {
    const ends = prep === "from" ? [ORIGIN, DESTINATION] : prep === "to" ? [DESTINATION, ORIGIN] : null;
    if (ends === null) return false;
    const [own, other] = ends;
    const rows = this.schema.tables.find(({ name }) => name === col.table);
    return other?.test(col.name) === true && rows?.cols.some(({ name }) => own?.test(name) === true) === true;
  }

  /** `region West`: the noun only names the value's column. */
  dropNounBefore(col: Col): void {
    const last = this.nouns.at(-1);
    const denied = this.neg === null ? 0 : 1;
    if (last === undefined || last.at !== this.at - 1 - denied || last.of.n !== "col") return;
    const isOwn = last.of.col.name === col.name || last.of.col.words.join() === col.words.join();
    if (isOwn && !this.sups.some(({ at }) => at === last.at - 1)) this.nouns.pop();
  }

  times(item: Of<"time"> | Of<"this">): void {
    const at = this.at;
    const times: TimeSense[] = item.k === "time" ? [item.time] : [];
    this.at += 1;
    while (item.k === "time" && (this.peek(0)?.k === "and" || this.peek(0)?.k === "or")) {
      const next = this.peek(1);
      if (next?.k !== "time" || next.time.bound !== "in" || item.time.bound !== "in") break;
      times.push(next.time);
      this.at += 2;
    }
    // `January and February 2025`: the year belongs to both.
    const year = times.at(-1)?.to?.year ?? null;
    const dated = times.map((time) => withYear(time, year));
    this.said.push({
      s: "time",
      times: dated,
      isThisYear: item.k === "this",
      event: this.event,
      at,
      prep: item.prep,
      not: this.negated(),
    });
  }

  /** `still open`, `not paid yet`: a continuing state must be named. */
  still(item: Of<"still">): void {
    const next = this.peek(1);
    const isBefore =
      (next?.k === "val" || next?.k === "bool" || next?.k === "neg") &&
      next.skipped.length === 0 &&
      /^(?:is|are|was|were)$/.test(item.skipped.at(-1) ?? "");
    const isBehind =
      item.text.toLowerCase() !== "still" && this.said.some(({ s, not }) => not !== null || s === "empty");
    if (!isBefore && !isBehind) throw new Unreadable(`“${item.text}”`);
    this.at += 1;
  }

  missing(item: Of<"missing">): void {
    const noun = this.nouns.pop();
    if (noun?.of.n !== "col") throw new Unreadable(`“${item.text}”`);
    const not = this.negated();
    this.said.push({
      s: "empty",
      col: noun.of.col,
      at: this.at,
      prep: null,
      not: not === null ? null : "not",
    });
    this.at += 1;
  }

  /** A verb without its own meaning; a negation in front of it applies to the rows behind it. */
  deed(item: Of<"deed">): void {
    const next = this.peek(1);
    const { at, text } = { at: this.at, text: item.text };
    if (this.neg !== null && next?.k !== "ent") throw new Unreadable(`“${text}” that is denied`);
    const denied = this.neg !== null ? next : next?.k === "neg" ? this.peek(2) : undefined;
    const rows = denied?.k === "ent" || denied?.k === "stuff" ? denied.tab : null;
    this.deeds.push({ at, text, kinds: item.kinds, rows });
    this.at += 1;
  }

  /** `no honey`: none of the rows that are honey. */
  stuff(item: Of<"stuff">): void {
    const { at } = this;
    const not = this.negated();
    if (not !== null) this.said.push({ s: "rows", tab: item.tab, at, prep: item.prep, not });
    else
      this.nouns.push({
        at,
        text: item.text,
        prep: item.prep,
        cost: item.cost,
        of: { n: "stuff", tab: item.tab },
      });
    this.at += 1;
  }

  /** `the hive called Tarragon`. */
  naming(item: Of<"naming">): void {
    const next = this.peek(1);
    if (next?.k !== "val" || next.skipped.length > 0 || this.neg !== null)
      throw new Unreadable(`“${item.text}”`);
    this.at += 1;
  }

  /** `not a single visit`, `of a single sailing`: its subject must be rows. */
  single(item: Of<"single">): void {
    const next = this.peek(1);
    if (next?.k !== "ent" || next.skipped.length > 0) throw new Unreadable(`“${item.text}”`);
    if (this.neg === null) this.flags.add("single");
    this.at += 1;
  }

  /** `the paid orders` are a subset, `who paid the fee` applies to all fees. */
  payment(item: Of<"pays">): void {
    const next = this.peek(1);
    if ((next?.k === "ent" || next?.k === "col") && next.skipped.length === 0)
      throw new Unreadable(`“${item.text} ${next.text}”`);
    if (this.neg !== null) throw new Unreadable(`“${item.text}” that is denied`);
    this.flags.add("pays");
    this.at += 1;
  }
}

function withYear(time: TimeSense, year: number | null): TimeSense {
  const dated = (moment: TimeSense["from"]) =>
    moment === null || moment.year !== null ? moment : { ...moment, year };
  return { ...time, from: dated(time.from), to: dated(time.to) };
}
