/** Numbers in a goal: how many are requested, and bounds with their columns. */
import type { Ask, Negation } from "../words/senses.ts";
import { Unreadable, type Sign } from "./meaning.ts";
import type { Col, Schema } from "./schema.ts";
import {
  type Deed,
  factorOf,
  type Flag,
  type Frame,
  isNumber,
  isOfUnit,
  type Item,
  type Noun,
  type Of,
  type Said,
  type Sup,
} from "./said.ts";

export class Bounds {
  readonly items: readonly Item[];
  readonly schema: Schema;
  at = 0;
  ask: Ask | null = null;
  neg: Of<"neg"> | null = null;
  count: number | null = null;
  having: Frame["having"] = null;
  readonly said: Said[] = [];
  readonly nouns: Noun[] = [];
  readonly sups: Sup[] = [];
  readonly aggs: Frame["aggs"] = [];
  readonly deeds: Deed[] = [];
  readonly groups: Frame["groups"] = [];
  readonly buckets: Frame["buckets"] = [];
  readonly flags = new Set<Flag>();
  event: Col | null = null;

  constructor(items: readonly Item[], schema: Schema) {
    this.items = items;
    this.schema = schema;
  }

  peek(ahead: number): Item | undefined {
    return this.items[this.at + ahead];
  }

  /** Spends the pending negation. */
  negated(): Negation | null {
    const neg = this.neg?.neg ?? null;
    this.neg = null;
    return neg;
  }

  comparison(item: Of<"cmp"> | Of<"between">): void {
    const first = this.peek(1);
    if (first?.k !== "num") throw new Unreadable(`“${item.text}” without a number`);
    const at = this.at;
    let to: number | null = null;
    this.at += 2;
    if (item.k === "between") {
      const last = this.peek(1);
      if (this.peek(0)?.k !== "and" || last?.k !== "num")
        throw new Unreadable("“between” without two numbers");
      to = last.value;
      this.at += 2;
    }
    const sign = item.k === "between" ? ">=" : item.sign;
    this.bound(at, { sign, value: first.value, to, kinds: item.k === "cmp" ? item.kinds : null });
  }

  /** A number with its subject: a column beside it, its unit, or rows of another table. */
  bound(
    at: number,
    given: { sign: Sign; value: number; to: number | null; kinds: readonly string[] | null },
  ): void {
    const { sign, to, kinds } = given;
    const next = this.peek(0);
    const not = this.negated();
    if (not !== null) throw new Unreadable("a bound that is denied");
    const add = (col: Col, factor: number) =>
      this.said.push({
        s: "number",
        col,
        sign,
        value: given.value * factor,
        to: to === null ? null : to * factor,
        at,
        prep: null,
        not: null,
      });
    const before = this.nouns.at(-1);
    const isBefore =
      before !== undefined &&
      before.at === at - 1 &&
      before.of.n === "col" &&
      before.of.col.kind === "number";
    if (next?.k === "col" && isNumber(next.col) && kinds === null && next.prep === null) {
      this.at += 1;
      add(next.col, 1);
      return;
    }
    if (next?.k === "ent" && kinds === null) {
      this.at += 1;
      this.having = { sign, value: given.value, tab: next.tab };
      if (to !== null) throw new Unreadable("rows between two numbers");
      return;
    }
    const unit = next?.k === "unit" ? next.unit : null;
    if (unit !== null) this.at += 1;
    if (isBefore && before.of.n === "col") {
      if (unit !== null && !isOfUnit(unit, before.of.col))
        throw new Unreadable(`“${unit}” of ${before.of.col.name}`);
      this.nouns.pop();
      add(before.of.col, unit === null ? 1 : factorOf(unit, before.of.col));
      return;
    }
    const cols = this.schema.tables.flatMap((tab) => tab.cols).filter(isNumber);
    const rows = this.nouns.findLast(({ of }) => of.n === "ent");
    const near = rows?.of.n === "ent" ? rows.of.tab.name : null;
    const fitting = cols.filter(
      (col) =>
        (kinds === null ||
          kinds.some((kind) => col.words.includes(kind)) ||
          (col.unit !== null && kinds.includes(col.unit))) &&
        (unit === null || isOfUnit(unit, col)),
    );
    const isNear = fitting.filter((col) => col.table === near);
    const own = isNear.length > 0 ? isNear : fitting;
    const [col, ...others] = kinds === null && unit === null ? [] : own;
    if (col === undefined || others.length > 0) throw new Unreadable(`what is ${sign} ${given.value}`);
    add(col, unit === null ? 1 : factorOf(unit, col));
  }

  number(item: Of<"num">): void {
    const next = this.peek(1);
    const unit = next?.k === "unit" ? 1 : 0;
    const trail = this.peek(1 + unit);
    if (trail?.k === "trail") {
      const at = this.at;
      const unitItem = unit === 1 ? next : undefined;
      this.at += 1;
      // The unit is in front of the trail: `45 minutes or longer`.
      const before = this.nouns.at(-1);
      const col =
        before?.of.n === "col" && isNumber(before.of.col) && before.at === at - 1 ? before.of.col : null;
      const unitName = unitItem?.k === "unit" ? unitItem.unit : null;
      const found = col ?? this.onlyOfUnit(unitName);
      if (col !== null) this.nouns.pop();
      this.at += unit + 1;
      if (unitName !== null && !isOfUnit(unitName, found))
        throw new Unreadable(`“${unitName}” of ${found.name}`);
      this.said.push({
        s: "number",
        col: found,
        sign: trail.sign,
        value: item.value * (unitName === null ? 1 : factorOf(unitName, found)),
        to: null,
        at,
        prep: null,
        not: this.negated(),
      });
      return;
    }
    if (this.count !== null) throw new Unreadable(`“${item.text}”`);
    const isCount = next?.k === "sup" || next?.k === "ent" || next?.k === "col" || next?.k === "val";
    if (!isCount || !Number.isInteger(item.value) || item.value < 1 || item.value > 500)
      throw new Unreadable(`“${item.text}”`);
    this.count = item.value;
    this.at += 1;
  }

  onlyOfUnit(unit: string | null): Col {
    const cols = this.schema.tables
      .flatMap((tab) => tab.cols)
      .filter((col) => isNumber(col) && unit !== null && isOfUnit(unit, col));
    const [col, ...others] = cols;
    if (col === undefined || others.length > 0) throw new Unreadable("what a number is of");
    return col;
  }
}
