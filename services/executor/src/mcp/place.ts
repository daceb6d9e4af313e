/** Where something may be that comes and goes, and where others wait for it. */
export type Place<Thing> = {
  put(thing: Thing): void;
  clear(): void;
  /**
   * @returns Undefined when nothing came in time.
   * @throws The signal's reason when it aborts.
   */
  wait(signal: AbortSignal, ms: number): Promise<Thing | undefined>;
};

export function createPlace<Thing>(): Place<Thing> {
  let here: Thing | undefined;
  const waiting = new Set<() => void>();
  return {
    put(thing) {
      here = thing;
      for (const wake of waiting) wake();
    },
    clear() {
      here = undefined;
    },
    async wait(signal, ms) {
      signal.throwIfAborted();
      if (here !== undefined) return here;
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, ms);
      waiting.add(resolve);
      signal.addEventListener("abort", () => resolve(), { once: true });
      await promise;
      clearTimeout(timer);
      waiting.delete(resolve);
      signal.throwIfAborted();
      return here;
    },
  };
}
