/** Calls that wait for a child process, in a fair order: one tenant's, or one plan's, keep no other's from a child. */
import { FairQueue, type Room } from "@planwright/plan";
import { TransientError } from "@planwright/shared/errors";
import type { CallLimits } from "./start-child.ts";

type Waits = Pick<CallLimits, "signal" | "owner">;

/** Of calls that are made for no plan. */
const OWN = { tenant: "", plan: "" };

export class CallQueue {
  readonly #calls = new FairQueue<PromiseWithResolvers<void>>();
  /** By their keys. */
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();
  readonly #room: Room;
  readonly #queueMax: number;
  #called = 0;
  #closed = false;

  /** @param options.reserve - Calls beyond `size`: half for plans, half for tenants, that have none under way. */
  constructor({ size, reserve, queueMax }: { size: number; reserve: number; queueMax: number }) {
    this.#room = { any: size, newPlan: size + Math.ceil(reserve / 2), newTenant: size + reserve };
    this.#queueMax = queueMax;
  }

  /**
   * Returns once the call may begin: the function that says that it is over.
   *
   * @throws {TransientError} When too many wait, or the queue is closed.
   * @throws The signal's reason when it aborts before.
   */
  async enter({ signal, owner = OWN }: Waits): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#closed) throw closed();
    this.#called += 1;
    const key = String(this.#called);
    const turn = Promise.withResolvers<void>();
    const onAbort = () => this.#refuse(key, signal.reason);
    this.#waiting.set(key, turn);
    this.#calls.hold({ ...owner, weight: 1 }, key, turn);
    this.#startNext();
    if (this.#calls.held > this.#queueMax)
      this.#refuse(key, new TransientError(`${this.#queueMax} calls are already waiting`));
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
    return () => {
      this.#calls.end(key);
      this.#startNext();
    };
  }

  /** Refuses what still waits, and whatever comes. */
  close(): void {
    this.#closed = true;
    for (const key of this.#waiting.keys()) this.#refuse(key, closed());
  }

  #startNext(): void {
    for (let next = this.#calls.next(this.#room); next !== undefined; next = this.#calls.next(this.#room)) {
      this.#waiting.delete(next.key);
      next.item.resolve();
    }
  }

  /** Does nothing to a call that may begin. */
  #refuse(key: string, reason: unknown): void {
    const turn = this.#waiting.get(key);
    if (turn === undefined) return;
    this.#waiting.delete(key);
    this.#calls.end(key);
    turn.reject(reason);
  }
}

function closed(): TransientError {
  return new TransientError("the pool is closed");
}
