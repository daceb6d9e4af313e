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
import { CallQueue } from "./call-queue.ts";
import { createIdleChildren } from "./idle-children.ts";
import type { Reach } from "../wall/wall.ts";
import { type CallLimits, type Child, type ChildSettings, startChild } from "./start-child.ts";

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
