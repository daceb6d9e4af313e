export type Repeated = {
  /** Runs once more, after the current run if there is one. */
  soon(): void;
  /** The same, and waits until nothing is running. */
  now(): Promise<void>;
  /** Resolves when nothing is running; nothing runs afterwards. */
  stop(): Promise<void>;
};

/**
 * Runs `work` one at a time; any number of requests while it runs cause one more run.
 *
 * @param onError - Called when `work` rejects; without it, `work` must not.
 */
export function oneAtATime(work: () => Promise<void>, onError?: (error: unknown) => void): Repeated {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isStopped = false;
  const run = async (): Promise<void> => {
    while (isWanted && !isStopped) {
      isWanted = false;
      await (onError === undefined ? work() : work().catch(onError));
    }
    running = undefined;
  };
  const soon = (): void => {
    isWanted = true;
    running ??= run();
  };
  return {
    soon,
    async now() {
      soon();
      await running;
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };
}
