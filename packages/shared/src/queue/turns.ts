/** The message that this worker was handling was delivered to another worker, which continues it. */
export class TakenOverError extends Error {
  override readonly name = "TakenOverError";
}

/**
 * Decides which work runs concurrently in one process. Most work runs together. Work whose worker has died more than once is
 * a suspect: it takes its turn, one suspect at a time, and begins alone if the work in flight ends soon, so that a death
 * shows which work caused it.
 *
 * Nothing waits forever: other work joins a suspect that survives its turn.
 */

/** Ends the work's part in its turn; resolves once no callback of its turn is running. Can be called repeatedly. */
export type Leave = () => void | Promise<void>;

export type SuspectTurn = {
  /** How long the suspect waits for the work in flight to end, and how long it then runs alone, in milliseconds. */
  readonly ms: number;
  /** Called before it begins alone. Returns whether that was recorded. */
  readonly onAlone: () => Promise<boolean>;
  /** Called before other work joins it. */
  readonly onCompany: () => Promise<void>;
};

export type Turns = {
  /**
   * Returns once the work can begin.
   *
   * @throws The signal's reason if it aborts first.
   */
  enter(signal: AbortSignal): Promise<Leave>;
  /** The same for a suspect. */
  enterSuspect(turn: SuspectTurn, signal: AbortSignal): Promise<Leave>;
};

export function createTurns(): Turns {
  let inFlight = 0;
  /** Set while a suspect runs alone or waits to do so: new work waits for it. */
  let gate: PromiseWithResolvers<void> | undefined;
  let quiet: PromiseWithResolvers<void> | undefined;
  /** The last suspect's turn; the next one begins after it. */
  let lastTurn: Promise<void> = Promise.resolve();

  const join = (): (() => void) => {
    inFlight += 1;
    return once(() => {
      inFlight -= 1;
      if (inFlight === 0) quiet?.resolve();
    });
  };
  const openGate = (): void => {
    gate?.resolve();
    gate = undefined;
  };
  /** Holds new work back until nothing is in flight. Returns whether that happened in time. */
  const waitForQuiet = async (ms: number, signal: AbortSignal): Promise<boolean> => {
    gate = Promise.withResolvers();
    if (inFlight === 0) return true;
    quiet = Promise.withResolvers();
    await unlessAborted(within(ms, quiet.promise), signal);
    return inFlight === 0;
  };

  return {
    async enter(signal) {
      while (gate !== undefined) await unlessAborted(gate.promise, signal);
      return join();
    },

    async enterSuspect({ ms, onAlone, onCompany }, signal) {
      const turn = Promise.withResolvers<void>();
      const before = lastTurn;
      lastTurn = before.then(() => turn.promise);
      let isTurn = false;
      let isAlone: boolean;
      try {
        await unlessAborted(before, signal);
        isTurn = true;
        isAlone = (await waitForQuiet(ms, signal)) && (await onAlone());
      } catch (error) {
        if (isTurn) openGate();
        turn.resolve();
        throw error;
      }
      if (!isAlone) openGate();
      const leaveFlight = join();
      const left = Promise.withResolvers<void>();
      const pass = async (): Promise<void> => {
        if (!(await within(ms, left.promise)) && isAlone) await onCompany();
        openGate();
        turn.resolve();
      };
      const passed = pass();
      return () => {
        leaveFlight();
        left.resolve();
        return passed;
      };
    },
  };
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

/** Whether the promise settles in time. */
async function within(ms: number, promise: Promise<void>): Promise<boolean> {
  const late = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => late.resolve(false), ms);
  try {
    return await Promise.race([promise.then(() => true), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function unlessAborted(promise: Promise<unknown>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    aborted.promise.catch(() => undefined);
  }
}
