/** List views that the user has named and saved in this browser. */
import type { Memory } from "../ui/browser-memory.ts";
import { createStore, type Store } from "../ui/create-store.ts";
import { type ListView, readFilter, textOf } from "./list-filter.ts";

const STORAGE_KEY = "planwright.views";
export const VIEWS_MAX = 20;
export const VIEW_NAME_CHARS_MAX = 40;

export type SavedViews = {
  readonly views: Store<readonly ListView[]>;
  /** A view of this name is replaced; the oldest goes when there are too many. */
  readonly save: (view: ListView) => void;
  readonly remove: (name: string) => void;
};

/** @param storage - Where the views outlive the page. */
export function createSavedViews(storage: Pick<Memory, "getItem" | "setItem">): SavedViews {
  const views = createStore(readViews(storage));
  const keep = (next: readonly ListView[]): void => {
    views.set(next);
    storage.setItem(STORAGE_KEY, JSON.stringify(next.map(({ name, filter }) => [name, textOf(filter)])));
  };
  const without = (name: string) => views.get().filter((view) => view.name !== name);
  return {
    views,
    save: (view) => keep([...without(view.name), view].slice(-VIEWS_MAX)),
    remove: (name) => keep(without(name)),
  };
}

function readViews(storage: Pick<Memory, "getItem">): readonly ListView[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(STORAGE_KEY) ?? "[]");
    if (!Array.isArray(stored)) return [];
    return stored.slice(0, VIEWS_MAX).flatMap((entry: unknown) => {
      if (!Array.isArray(entry)) return [];
      const [name, search] = entry as unknown[];
      if (typeof name !== "string" || typeof search !== "string" || name === "") return [];
      return [{ name: name.slice(0, VIEW_NAME_CHARS_MAX), filter: readFilter(search) }];
    });
  } catch {
    return [];
  }
}
