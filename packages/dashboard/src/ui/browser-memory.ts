import { createStore, type Store } from "./create-store.ts";

/** What a browser keeps for the page: for good, or for the tab's session. */
export type Memory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * A storage of the browser that never throws: where the person or their administrator lets pages keep nothing, nothing
 * is known, and what does not fit into it is there until the page is left.
 *
 * @param open - Getting at the storage alone may be refused.
 */
export function browserMemory(open: () => Storage): Memory {
  const trying = <Result>(use: (storage: Storage) => Result): Result | undefined => {
    try {
      return use(open());
    } catch (denied) {
      console.info(`the browser keeps nothing: ${String(denied)}`);
      return undefined;
    }
  };
  return {
    getItem: (name) => trying((storage) => storage.getItem(name)) ?? null,
    setItem: (name, value) => trying((storage) => storage.setItem(name, value)),
    removeItem: (name) => trying((storage) => storage.removeItem(name)),
  };
}

/**
 * One of a few values, kept in the browser; where nothing is kept, the first of them.
 *
 * @param options.key - Under which it is kept, after `planwright.`.
 */
export function remembered<const Value extends string>(
  memory: Pick<Memory, "getItem" | "setItem">,
  { key, values }: { readonly key: string; readonly values: readonly [Value, ...Value[]] },
): Store<Value> {
  const name = `planwright.${key}`;
  const kept = memory.getItem(name);
  const store = createStore<Value>(values.find((value) => value === kept) ?? values[0]);
  store.subscribe(() => memory.setItem(name, store.get()));
  return store;
}
