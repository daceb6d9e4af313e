import { useCallback, useEffect, useRef } from "react";
import type { GraphFocus } from "./use-graph-focus.ts";

/** Whether the reader has chosen a part of the graph to look at: by moving it, by keys, or by a search. */
export function useTouch({ target, release }: GraphFocus) {
  const touched = useRef(false);
  const isTouched = useCallback(() => touched.current, []);
  useEffect(() => {
    if (target !== undefined) touched.current = true;
  }, [target]);
  /** @param event - Absent when the graph was moved by the page itself. */
  const touch = useCallback(
    (event: unknown) => {
      if (event === null) return;
      touched.current = true;
      release();
    },
    [release],
  );
  return { isTouched, touch };
}
