/**
 * Child processes that can be killed, for work that may never end: SQL, charts, untrusted HTML.
 *
 * Invariants:
 *   CHILD-1. A call ends by its deadline or its signal, whatever the child does: the child is killed.
 *   CHILD-2. A child has one call at a time, so a kill never harms another call.
 *   CHILD-3. Idle children do not keep this process alive, and none outlives it.
 *   CHILD-4. Behind a wall, a child only serves calls with the same reach, so no call can get at what the child read for a
 *       call with another reach.
 *   CHILD-5. Calls wait in a fair order, so that no tenant or plan keeps others from a child; see `FairQueue`.
 */
import { TransientError } from "@planwright/shared/errors";
import type { Reach } from "../wall/wall.ts";
import { type CallLimits, type Child, type ChildSettings, startChild } from "./start-child.ts";
import { isDeepStrictEqual } from "node:util";
import { FairQueue, type Room } from "@planwright/plan";

const QUEUE_MAX = 256;
const CALLS_PER_CHILD_MAX = 500;
const IDLE_MS = 60_000;

export type ChildPoolSettings = Omit<ChildSettings, "reach"> & {
  /** Maximum number of children; each is started by the first call that finds none idle. */
  readonly size: number;
  /**
   * Children beyond `size` for calls of plans (one half) and tenants (the other half) that have no running call; none by default.
   * The operating system shares the processors among them; a call must not wait for another to end.
   */
  readonly reserve?: number;
  /** Maximum number of calls that wait for a child; 256 by default. */
  readonly queueMax?: number;
  /** How long an idle child is kept, in milliseconds; one minute by default. */
  readonly idleMs?: number;
  /** Maximum number of idle children; `size` by default. A higher limit helps when calls differ in their reach. */
  readonly idleMax?: number;
  /**
   * Whether to replace a child that was killed or is spent before the next call arrives, and to start a reserve child before it
   * is needed, so that no call waits for a start; false by default.
   */
  readonly replaces?: boolean;
};

export type ChildPool = Disposable & {
  /**
   * Runs one request in a child; `timeoutMs` counts from the moment a child takes it.
   *
   * @throws {PermanentError} `deadline_exceeded`, `out_of_memory`, or the child's own error.
   * @throws {TransientError} When too many calls wait, or the child exited on its own.
   * @throws The signal's reason when it aborts.
   */
  call(request: unknown, limits: CallLimits): Promise<unknown>;
};

/** Creates a pool. Disposing it kills its children and rejects waiting calls. */
export function createChildPool({
  size,
  reserve = 0,
  queueMax = QUEUE_MAX,
  idleMs = IDLE_MS,
  idleMax = size,
  replaces = false,
  ...settings
}: ChildPoolSettings): ChildPool {
  const idle = createIdleChildren({ idleMs, idleMax });
  const busy = new Set<Child>();
  const calls = new CallQueue({ size, reserve, queueMax });
  let closed = false;

  function take(reach: Reach | undefined): Child {
    const child = idle.take(reach) ?? startChild({ ...settings, reach });
    busy.add(child);
    return child;
  }

  function putBack(child: Child): void {
    busy.delete(child);
    if (!closed && child.alive() && child.calls() < CALLS_PER_CHILD_MAX) idle.put(child);
    else child.kill();
  }

  /** Ensures that one child is idle, for a call that need not wait for others. */
  function replace(): void {
    if (replaces && !closed && busy.size < size + reserve && idle.isEmpty()) idle.put(startChild(settings));
  }

  return {
    async call(request, limits) {
      // Without a wall, every child has the same reach.
      const reach = settings.wall === undefined ? undefined : limits.reach;
      const leave = await calls.enter(limits);
      let child: Child | undefined;
      try {
        if (closed) throw new TransientError("the pool is closed");
        child = take(reach);
        // Only the reserve is left, and starting one of its children would delay the next call.
        if (busy.size >= size) replace();
        const reply = await child.call(request, limits);
        if (limits.isSpent?.(reply) === true) child.kill();
        return reply;
      } finally {
        if (child !== undefined) putBack(child);
        leave();
        replace();
      }
    },
    [Symbol.dispose]() {
      closed = true;
      calls.close();
      for (const child of busy) child.kill();
      idle.clear();
    },
  };
}

type IdleChildren = {
  /** The most recently used child with this reach, because its caches are warm. */
  readonly take: (reach: Reach | undefined) => Child | undefined;
  readonly put: (child: Child) => void;
  readonly isEmpty: () => boolean;
  readonly clear: () => void;
};

/**
 * Idle children. Each is killed after `idleMs` milliseconds without a call, and the one that has been idle longest when there are
 * more than `idleMax`.
 */
function createIdleChildren({
  idleMs,
  idleMax,
}: {
  readonly idleMs: number;
  readonly idleMax: number;
}): IdleChildren {
  const timers = new Map<Child, NodeJS.Timeout>();

  function remove(child: Child): void {
    clearTimeout(timers.get(child));
    timers.delete(child);
  }
  function drop(child: Child): void {
    remove(child);
    child.kill();
  }

  return {
    take(reach) {
      for (const child of [...timers.keys()].reverse()) {
        if (child.alive() && !isDeepStrictEqual(child.reach, reach)) continue;
        remove(child);
        if (child.alive()) return child;
      }
      return undefined;
    },
    put(child) {
      for (const other of timers.keys()) if (!other.alive()) remove(other);
      timers.set(child, setTimeout(drop, idleMs, child).unref());
      const [oldest] = timers.keys();
      if (timers.size > idleMax && oldest !== undefined) drop(oldest);
    },
    isEmpty: () => ![...timers.keys()].some((child) => child.alive()),
    clear: () => [...timers.keys()].forEach(drop),
  };
}

type Waits = Pick<CallLimits, "signal" | "owner">;

/** Owner of calls that are made for no plan. */
const OWN = { tenant: "", plan: "" };

/** Calls that wait for a child process, in a fair order: no tenant or plan keeps others from a child. */
class CallQueue {
  readonly #calls = new FairQueue<PromiseWithResolvers<void>>();
  /** By call key. */
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>();
  readonly #room: Room;
  readonly #queueMax: number;
  #called = 0;
  #closed = false;

  /** @param options.reserve - Slots beyond `size`: half for plans, half for tenants, that have no running call. */
  constructor({ size, reserve, queueMax }: { size: number; reserve: number; queueMax: number }) {
    this.#room = { any: size, newPlan: size + Math.ceil(reserve / 2), newTenant: size + reserve };
    this.#queueMax = queueMax;
  }

  /**
   * Waits until the call may start. Returns a function to call when it has ended.
   *
   * @throws {TransientError} When too many calls wait, or the queue is closed.
   * @throws The signal's reason when it aborts first.
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

  /** Rejects waiting calls and all later ones. */
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

  /** Does nothing if the call has already been allowed to start. */
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
