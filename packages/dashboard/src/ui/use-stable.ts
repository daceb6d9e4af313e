import { applyChanges, changesBetween } from "@planwright/plan/json-changes";
import { useMemo, useRef } from "react";

/** Returns the second value, reusing the first value's objects for equal parts. Neither value may contain cycles. */
export function unitedWith<Value>(known: Value, value: Value): Value {
  return applyChanges(known, changesBetween(known, value) ?? []);
}

/** Keeps the unchanged parts of a recomputed value as the same objects, so that React does not draw them again. */
export function useStable<Value>(value: Value): Value {
  const kept = useRef(value);
  return useMemo(() => {
    kept.current = unitedWith(kept.current, value);
    return kept.current;
  }, [value]);
}
