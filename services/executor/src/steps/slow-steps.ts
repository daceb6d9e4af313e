/**
 * Detects light tools that take too long.
 *
 * A tool is not blamed for others. Its waiting time is counted in looks of a timer, not measured: while another tool or another
 * program keeps the thread busy, there are no looks. Its computing time is measured by the thread's CPU clock until it first
 * waits, because from then on the thread also serves others.
 */

/** Number of looks in the time that a light tool can take. */
const LOOKS = 5;
const MICROSECONDS = 1_000;

type Run = { readonly tool: string; looks: number };

export class SlowSteps implements Disposable {
  readonly #mostMs: number;
  readonly #onSlow: (tool: string) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #runs = new Set<Run>();

  /**
   * @param options.mostMs - How long a light tool can take, in milliseconds.
   * @param options.onSlow - Called for each run that takes longer, as soon as that is known.
   */
  constructor({ mostMs, onSlow }: { readonly mostMs: number; readonly onSlow: (tool: string) => void }) {
    this.#mostMs = mostMs;
    this.#onSlow = onSlow;
    this.#timer = setInterval(() => this.look(), mostMs / LOOKS);
  }

  /** Runs a tool. Throws the errors of `call`. */
  async run<Output>(tool: string, call: () => Promise<Output>): Promise<Output> {
    const run = { tool, looks: 0 };
    this.#runs.add(run);
    try {
      const before = process.threadCpuUsage();
      const running = call();
      const { user, system } = process.threadCpuUsage(before);
      if (user + system > this.#mostMs * MICROSECONDS) this.#onSlow(tool);
      return await running;
    } finally {
      this.#runs.delete(run);
    }
  }

  /** Counts the runs that have not ended. Between its first and its last look, a run has used up the time of a light tool. */
  look(): void {
    for (const run of this.#runs) {
      run.looks += 1;
      if (run.looks === LOOKS + 1) this.#onSlow(run.tool);
    }
  }

  /** Stops looking at the runs that have not ended. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
