import { applyChanges, changesBetween } from "@planwright/plan/json-changes";
import { useCallback, useMemo, useRef } from "react";

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

/** A function that stays the same object and calls the newest given one: components that receive it need not render again. */
export function useSameFunction<Arguments extends readonly unknown[], Result>(
  newest: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  const current = useRef(newest);
  current.current = newest;
  return useCallback((...args: Arguments) => current.current(...args), []);
}
