import { useCallback, useRef } from "react";

/** A function that stays the same object and does what the newest one given does: who gets it need not be drawn again. */
export function useSameFunction<Arguments extends readonly unknown[], Result>(
  newest: (...args: Arguments) => Result,
): (...args: Arguments) => Result {
  const current = useRef(newest);
  current.current = newest;
  return useCallback((...args: Arguments) => current.current(...args), []);
}
