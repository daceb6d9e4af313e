/** Who waits until the log has been taken in up to a sequence. */
export type SequenceWaiters = {
  readonly position: number;
  reached(sequence: number): void;
  /** Rejects with the signal's reason when it aborts first. */
  until(sequence: number, signal: AbortSignal): Promise<void>;
};

export function createSequenceWaiters(start: number): SequenceWaiters {
  const waiting = new Set<{ readonly sequence: number; readonly resolve: () => void }>();
  let position = start;
  return {
    get position() {
      return position;
    },
    reached(sequence) {
      position = sequence;
      if (waiting.size === 0) return;
      for (const waiter of waiting) if (waiter.sequence <= position) waiter.resolve();
    },
    async until(sequence, signal) {
      signal.throwIfAborted();
      if (sequence <= position) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const waiter = { sequence, resolve };
      const giveUp = (): void => reject(signal.reason);
      waiting.add(waiter);
      signal.addEventListener("abort", giveUp, { once: true });
      try {
        await promise;
      } finally {
        waiting.delete(waiter);
        signal.removeEventListener("abort", giveUp);
      }
    },
  };
}
