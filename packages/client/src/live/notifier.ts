/** Wakes one waiting reader. Calls while no reader waits are kept as one notice. */
export type Notifier = {
  readonly notify: () => void;
  /**
   * Resolves at a notice, or after a time in milliseconds.
   *
   * @returns Whether there was a notice.
   * @throws The signal's reason when it aborts.
   */
  readonly wait: (timeoutMs: number, signal: AbortSignal | undefined) => Promise<boolean>;
};

export function createNotifier(): Notifier {
  let isNoticed = false;
  let wake: (() => void) | undefined;
  return {
    notify: () => {
      isNoticed = true;
      wake?.();
    },
    wait: async (timeoutMs, signal) => {
      signal?.throwIfAborted();
      if (!isNoticed) {
        await new Promise<void>((resolve) => {
          const done = (): void => {
            clearTimeout(timer);
            signal?.removeEventListener("abort", done);
            wake = undefined;
            resolve();
          };
          const timer = setTimeout(done, timeoutMs);
          signal?.addEventListener("abort", done, { once: true });
          wake = done;
        });
      }
      const wasNoticed = isNoticed;
      isNoticed = false;
      signal?.throwIfAborted();
      return wasNoticed;
    },
  };
}
