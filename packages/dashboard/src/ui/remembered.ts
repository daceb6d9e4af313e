import { createStore, type Store } from "./create-store.ts";

/** What this browser remembers of how somebody likes the page. */
export type Memory = Pick<Storage, "getItem" | "setItem">;

/**
 * One of a few values, kept in the browser; where nothing is kept (or may be), the first of them.
 *
 * @param options.key - Under which it is kept, after `planwright.`.
 */
export function remembered<const Value extends string>(
  memory: Memory | undefined,
  { key, values }: { readonly key: string; readonly values: readonly [Value, ...Value[]] },
): Store<Value> {
  const name = `planwright.${key}`;
  const kept = memory?.getItem(name);
  const store = createStore<Value>(values.find((value) => value === kept) ?? values[0]);
  store.subscribe(() => memory?.setItem(name, store.get()));
  return store;
}

/** The browser's own; absent where the person or their administrator lets pages keep nothing. */
export function browserMemory(): Memory | undefined {
  try {
    return localStorage;
  } catch (denied) {
    console.info("nothing is remembered:", denied);
    return undefined;
  }
}
