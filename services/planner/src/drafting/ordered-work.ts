export type OrderedWork<Item> = {
  /** Queues an item; never waits. */
  add(item: Item): void;
  /** Aborts, with the error as its reason, when the work on an item fails; later items are left out. */
  readonly failed: AbortSignal;
  /** @throws The error of the item that failed. */
  done(): Promise<void>;
};

/** Works on items one at a time, in the order in which they come. */
export function createOrderedWork<Item>(work: (item: Item) => Promise<void>): OrderedWork<Item> {
  const failed = new AbortController();
  let last = Promise.resolve();
  return {
    add(item) {
      last = last.then(() => work(item));
      last.catch((error: unknown) => failed.abort(error));
    },
    failed: failed.signal,
    done: () => last,
  };
}
