import { isDeepStrictEqual } from "node:util";
import type { Reach } from "../wall/wall.ts";
import type { Child } from "./start-child.ts";

export type IdleChildren = {
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
export function createIdleChildren({
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
