/**
 * Notices light tools that take longer than a light tool may.
 *
 * A tool is not blamed for others. How long it waits is counted in looks, not measured: while another tool or another program
 * keeps the thread busy, there are no looks. How long it computes is measured by the thread's own clock, until the tool first
 * waits for something: from then on, the thread also serves others.
 */

/** So many looks make up the time that a light tool may take. */
const LOOKS = 5;
const MICROSECONDS = 1_000;

type Run = { readonly tool: string; looks: number };

export class SlowSteps implements Disposable {
  readonly #mostMs: number;
  readonly #onSlow: (tool: string) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #runs = new Set<Run>();

  /**
   * @param options.mostMs - How long a light tool may take, in milliseconds.
   * @param options.onSlow - Called for each run that takes longer, as soon as that is known.
   */
  constructor({ mostMs, onSlow }: { readonly mostMs: number; readonly onSlow: (tool: string) => void }) {
    this.#mostMs = mostMs;
    this.#onSlow = onSlow;
    this.#timer = setInterval(() => this.look(), mostMs / LOOKS);
  }

  /** Runs a tool. Throws what `call` throws. */
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

  /** Counts the runs that have not ended. From its first look to its last one, a run has had the time of a light tool. */
  look(): void {
    for (const run of this.#runs) {
      run.looks += 1;
      if (run.looks === LOOKS + 1) this.#onSlow(run.tool);
    }
  }

  /** Runs that have not ended are not looked at any more. */
  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
