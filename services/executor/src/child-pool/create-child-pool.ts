/**
 * Child processes that can be killed, for work that may never end: SQL, charts, untrusted HTML.
 *
 * Invariants:
 *   CHILD-1. A call ends by its deadline or its signal, whatever the child does: the child is killed.
 *   CHILD-2. A child has one call at a time, so a kill never harms another call.
 *   CHILD-3. Idle children do not keep this process alive, and none outlives it.
 *   CHILD-4. Behind a wall, a child serves calls of one reach only: what it has read of one is out of reach of another.
 *   CHILD-5. Calls wait in a fair order, so that one tenant's, or one plan's, keep no other's from a child; see `FairQueue`.
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
  /** Children at most; each starts with the first call that finds none idle. */
  readonly size: number;
  /**
   * Children beyond `size`: half of them for plans, the others for tenants, that have no call under way; none when absent.
   * A machine shares its processors among them by itself; what a call must not do is wait for another's end.
   */
  readonly reserve?: number;
  /** Calls that may wait for a child; 256 when absent. */
  readonly queueMax?: number;
  /** How long an idle child is kept, in milliseconds; a minute when absent. */
  readonly idleMs?: number;
  /** Idle children that are kept; `size` when absent. More are of use where calls differ in their reach. */
  readonly idleMax?: number;
  /**
   * Whether a child that was killed, or has had its share of calls, is replaced before the next call comes, and one of the
   * reserve is started before it is needed, so that no call waits for a start; not when absent.
   */
  readonly replaces?: boolean;
};

export type ChildPool = Disposable & {
  /**
   * Runs one request in a child; `timeoutMs` counts from the moment a child takes it.
   *
   * @throws {PermanentError} `deadline_exceeded`, `out_of_memory`, or what the child refused with.
   * @throws {TransientError} When too many calls wait, or the child ended by itself.
   * @throws The signal's reason when it aborts.
   */
  call(request: unknown, limits: CallLimits): Promise<unknown>;
};

/** Makes a pool. Disposing it kills its children and refuses what still waits. */
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

  /** Has one idle, for a call that need not wait for others. */
  function replace(): void {
    if (replaces && !closed && busy.size < size + reserve && idle.isEmpty()) idle.put(startChild(settings));
  }

  return {
    async call(request, limits) {
      // Without a wall every child reaches as far.
      const reach = settings.wall === undefined ? undefined : limits.reach;
      const leave = await calls.enter(limits);
      let child: Child | undefined;
      try {
        if (closed) throw new TransientError("the pool is closed");
        child = take(reach);
        // Only what is in reserve is left: for that its start would be a wait.
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
  /** The child of this reach that was used last, because its caches are warm. */
  readonly take: (reach: Reach | undefined) => Child | undefined;
  readonly put: (child: Child) => void;
  readonly isEmpty: () => boolean;
  readonly clear: () => void;
};

/**
 * Children that wait for a call; each is killed when none comes within `idleMs` milliseconds, and the one that has waited
 * longest when there are more than `idleMax`.
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

/** Of calls that are made for no plan. */
const OWN = { tenant: "", plan: "" };

/** Calls that wait for a child process, in a fair order: one tenant's, or one plan's, keep no other's from a child. */
class CallQueue {
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
