/** The columns that a user has chosen: kept in this browser. */
import type { Memory } from "../ui/browser-memory.ts";
import { createStore, type Store } from "../ui/create-store.ts";
import { COLUMNS } from "./columns.tsx";

const STORAGE_KEY = "planwright.plan-columns";
const ALL: readonly string[] = COLUMNS.map(({ id }) => id);

/** All columns where nothing is kept. */
export function createChosenColumns(memory: Pick<Memory, "getItem" | "setItem">): Store<ReadonlySet<string>> {
  const kept = memory.getItem(STORAGE_KEY)?.split(" ");
  const store = createStore<ReadonlySet<string>>(
    new Set(kept === undefined ? ALL : ALL.filter((id) => kept.includes(id))),
  );
  store.subscribe(() => memory.setItem(STORAGE_KEY, [...store.get()].join(" ")));
  return store;
}
