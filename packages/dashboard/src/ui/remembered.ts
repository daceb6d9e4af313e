import type { Memory } from "./browser-memory.ts";
import { createStore, type Store } from "./create-store.ts";

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
