/** The waiting items of one plan, in the order in which they start. */
import { createHeap } from "../values/heap.ts";

/** The tolerated number of entries of removed items in excess of the number of items, before all items are ranked again. */
const GONE_MAX = 64;

type Waiting<Item> = { readonly key: string; readonly item: Item; readonly order: number; rank: number };

/**
 * Yields the item with the highest rank first; of equals, the one that was added first.
 *
 * An item is ranked only when there is another one to choose from. The amortized cost of each operation is logarithmic.
 */
export class RankOrder<Item> {
  readonly #rankOf: ((item: Item) => number) | undefined;
  /** In the order in which they were added. */
  readonly #waiting = new Map<string, Waiting<Item>>();
  #ranked = createHeap<Waiting<Item>>(isBefore);
  #unranked: Waiting<Item>[] = [];
  #added = 0;

  /** @param rankOf - Absent: all items have the same rank. */
  constructor(rankOf: ((item: Item) => number) | undefined) {
    this.#rankOf = rankOf;
  }

  get size(): number {
    return this.#waiting.size;
  }

  add(key: string, item: Item): void {
    const one: Waiting<Item> = { key, item, order: this.#added++, rank: 0 };
    this.#waiting.set(key, one);
    if (this.#rankOf !== undefined) this.#unranked.push(one);
  }

  /** Removes an item. Returns whether it was present. */
  delete(key: string): boolean {
    const isKnown = this.#waiting.delete(key);
    const entries = this.#ranked.size + this.#unranked.length;
    if (isKnown && (this.size === 0 || entries > 2 * this.size + GONE_MAX)) this.rankAgain();
    return isKnown;
  }

  /** The item that starts next, without removing it. */
  first(): { readonly key: string; readonly item: Item } | undefined {
    if (this.#rankOf === undefined || this.size < 2) {
      const [only] = this.#waiting.values();
      return only;
    }
    for (const one of this.#unranked) {
      if (this.#isGone(one)) continue;
      one.rank = this.#rankOf(one.item);
      this.#ranked.add(one);
    }
    this.#unranked = [];
    let first = this.#ranked.first();
    while (first !== undefined && this.#isGone(first)) {
      this.#ranked.take();
      first = this.#ranked.first();
    }
    return first;
  }

  /** Ranks every item again before the next one starts. */
  rankAgain(): void {
    if (this.#ranked.size > 0) this.#ranked = createHeap<Waiting<Item>>(isBefore);
    this.#unranked = this.#rankOf === undefined ? [] : [...this.#waiting.values()];
  }

  #isGone(one: Waiting<Item>): boolean {
    return this.#waiting.get(one.key) !== one;
  }
}

function isBefore(left: Waiting<unknown>, right: Waiting<unknown>): boolean {
  return left.rank > right.rank || (left.rank === right.rank && left.order < right.order);
}
