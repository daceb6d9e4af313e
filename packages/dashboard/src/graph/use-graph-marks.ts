import { useLayoutEffect, useMemo, useState } from "react";
import { createStore, type Store } from "../ui/create-store.ts";
import { type Marks, NO_MARKS } from "./graph-marks.ts";
import { tiesOf } from "./next-node.ts";
import type { Topology } from "./topology.ts";

/** The graph's marks as they are now, told to those nodes that they change. */
export function useGraphMarks(
  topology: Topology,
  { found, at, active }: Pick<Marks, "found" | "at" | "active">,
): Store<Marks> {
  const [marks] = useState(() => createStore(NO_MARKS));
  // The key stands for the topology.
  const ties = useMemo(() => tiesOf(topology), [topology.key]);
  useLayoutEffect(() => {
    marks.set({ ...marks.get(), found, at, active, ties });
  }, [marks, found, at, active, ties]);
  return marks;
}
