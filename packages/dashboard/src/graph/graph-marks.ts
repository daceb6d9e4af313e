/** What is marked in a graph beside what its nodes say themselves: a node hears of its own marks only. */
import { createContext, useContext, useSyncExternalStore } from "react";
import { createStore, type Store } from "../ui/create-store.ts";
import type { Ties } from "./next-node.ts";

export type Marks = {
  /** How many steps of each node a search has found; absent while nothing is searched for. */
  readonly found: ReadonlyMap<string, number> | undefined;
  /** The node of the match that the search is at. */
  readonly at: string | undefined;
  /** The one node that the tabulator key leads to. */
  readonly active: string | undefined;
  /** A node that the keyboard goes to as soon as it is drawn. */
  readonly awaited: string | undefined;
  readonly ties: ReadonlyMap<string, Ties>;
};

export const NO_MARKS: Marks = {
  found: undefined,
  at: undefined,
  active: undefined,
  awaited: undefined,
  ties: new Map(),
};

export const GraphMarks = createContext<Store<Marks>>(createStore(NO_MARKS));

/** A node's own part of the marks; the node is drawn again when that changes. */
export function useMark<Value extends number | boolean | undefined>(select: (marks: Marks) => Value): Value {
  const marks = useContext(GraphMarks);
  return useSyncExternalStore(marks.subscribe, () => select(marks.get()));
}
