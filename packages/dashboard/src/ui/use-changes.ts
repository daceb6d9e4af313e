import { useEffect, useRef, useState } from "react";

export type Changes = {
  /** A different number after each change, and after each of the later times. */
  readonly version: number;
  /** Nothing has changed since the last of the later times. */
  readonly isQuiet: boolean;
};

/**
 * Watches a changing value, so that data that depends on it is read again on each change, and several times afterwards for
 * data that arrives late. Does nothing in between.
 *
 * @param subject - A different value or object is a change.
 * @param lateMs - Times after the last change, in milliseconds; the same list each time.
 */
export function useChanges(subject: unknown, lateMs: readonly number[]): Changes {
  const known = useRef(subject);
  const [changes, setChanges] = useState<Changes>({ version: 0, isQuiet: lateMs.length === 0 });
  useEffect(() => {
    const note = (isQuiet: boolean): void => setChanges(({ version }) => ({ version: version + 1, isQuiet }));
    if (known.current !== subject) {
      known.current = subject;
      note(lateMs.length === 0);
    }
    const timers = lateMs.map((ms, index) => setTimeout(() => note(index === lateMs.length - 1), ms));
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, [subject, lateMs]);
  return changes;
}
