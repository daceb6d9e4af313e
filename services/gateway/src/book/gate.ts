/** Admits a limited number of callers at a time; up to a limit, the others wait in order of arrival. */
export type Gate = {
  /** Resolves when it is the caller's turn, which lasts until the result is disposed. */
  enter(signal?: AbortSignal): Promise<Disposable>;
};

/** @param options.onFull - Makes the error thrown when too many callers are waiting. */
export function createGate({
  atOnce,
  waitingMax,
  onFull,
}: {
  readonly atOnce: number;
  readonly waitingMax: number;
  readonly onFull: () => Error;
}): Gate {
  let inside = 0;
  const waiting = new Set<() => void>();

  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) inside -= 1;
    else {
      waiting.delete(next);
      next();
    }
  };

  const turn = (): Disposable => {
    let left = false;
    return {
      [Symbol.dispose]() {
        if (!left) leave();
        left = true;
      },
    };
  };

  return {
    async enter(signal) {
      signal?.throwIfAborted();
      if (inside < atOnce) {
        inside += 1;
        return turn();
      }
      if (waiting.size >= waitingMax) throw onFull();
      const called = Promise.withResolvers<void>();
      const giveUp = (): void => {
        if (waiting.delete(called.resolve)) called.reject(signal?.reason);
      };
      waiting.add(called.resolve);
      signal?.addEventListener("abort", giveUp, { once: true });
      try {
        await called.promise;
      } finally {
        signal?.removeEventListener("abort", giveUp);
      }
      return turn();
    },
  };
}
