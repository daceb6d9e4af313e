import { setImmediate as nextTurn } from "node:timers/promises";

export type GatheredWork<Item> = {
  /** Queues an item; never waits. */
  add(item: Item): void;
  /** Aborts, with the error as its reason, when processing some items fails; later items are dropped. */
  readonly failed: AbortSignal;
  /** Resolves once all items have been processed. @throws The error of the items that failed. */
  done(): Promise<void>;
  /**
   * Resolves with the last items, if processing them has not begun, once the others have been processed. Nothing may be added
   * afterwards.
   *
   * @throws The error of the items that failed.
   */
  rest(): Promise<readonly Item[]>;
};

/**
 * Processes items in the order in which they are added: together if they are added in one turn of the event loop, or during
 * earlier processing.
 */
export function createGatheredWork<Item>(
  work: (items: readonly Item[]) => Promise<void>,
): GatheredWork<Item> {
  const failed = new AbortController();
  let waiting: Item[] = [];
  let isHeld = false;
  let working: Promise<void> | undefined;

  const workOn = async (): Promise<void> => {
    await nextTurn();
    while (waiting.length > 0 && !isHeld) {
      const items = waiting;
      waiting = [];
      await work(items);
    }
    working = undefined;
  };
  const begin = (): void => {
    if (working !== undefined || failed.signal.aborted) return;
    working = workOn();
    working.catch((error: unknown) => failed.abort(error));
  };

  return {
    add(item) {
      waiting.push(item);
      begin();
    },
    failed: failed.signal,
    async done() {
      await working;
    },
    async rest() {
      isHeld = true;
      await working;
      return waiting;
    },
  };
}
