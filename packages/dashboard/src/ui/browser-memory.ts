import { createStore, type Store } from "./create-store.ts";

/** Values that the browser stores for the page: permanently, or for the tab's session. */
export type Memory = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/**
 * A browser storage that never throws: if the user or their administrator disables it, it is empty, and values that do not
 * fit are kept until the page is left.
 *
 * @param open - Returns the storage; even that can throw.
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
 * One of a few values, stored in the browser; if none is stored, the first of them.
 *
 * @param options.key - The key in the storage, after `planwright.`.
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
