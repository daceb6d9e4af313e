/** Lets callers wait until the log has been read up to a sequence. */
export type SequenceWaiters = {
  readonly position: number;
  reached(sequence: number): void;
  /** Rejects all current and future waiters: the log is no longer being followed. */
  fail(error: Error): void;
  /** Rejects with the signal's reason when it aborts first. */
  until(sequence: number, signal?: AbortSignal): Promise<void>;
};

/** @param start - The position up to which the log was already applied. */
export function createSequenceWaiters(start: number): SequenceWaiters {
  const waiting = new Set<
    { readonly sequence: number } & Pick<PromiseWithResolvers<void>, "resolve" | "reject">
  >();
  let position = start;
  let fault: Error | undefined;
  return {
    get position() {
      return position;
    },
    reached(sequence) {
      position = sequence;
      if (waiting.size === 0) return;
      for (const waiter of waiting) if (waiter.sequence <= position) waiter.resolve();
    },
    fail(error) {
      fault = error;
      for (const { reject } of waiting) reject(error);
    },
    async until(sequence, signal) {
      signal?.throwIfAborted();
      if (sequence <= position) return;
      if (fault !== undefined) throw fault;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { sequence, resolve, reject };
      const giveUp = (): void => reject(signal?.reason);
      waiting.add(waiter);
      signal?.addEventListener("abort", giveUp, { once: true });
      try {
        await promise;
      } finally {
        waiting.delete(waiter);
        signal?.removeEventListener("abort", giveUp);
      }
    },
  };
}
