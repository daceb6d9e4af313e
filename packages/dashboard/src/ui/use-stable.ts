import { applyChanges, changesBetween } from "@planwright/plan/json-changes";
import { useMemo, useRef } from "react";

/** The second value; what of it equals the first is the same object as there. For lists and objects without cycles. */
export function unitedWith<Value>(known: Value, value: Value): Value {
  return applyChanges(known, changesBetween(known, value) ?? []);
}

/** A value that is made anew with each view, of which only what has changed is a new object: the rest is not drawn again. */
export function useStable<Value>(value: Value): Value {
  const kept = useRef(value);
  return useMemo(() => {
    kept.current = unitedWith(kept.current, value);
    return kept.current;
  }, [value]);
}
