import type { Child } from "./start-child.ts";

export type IdleChildren = {
  /** The child used last, because its caches are warm. */
  readonly take: () => Child | undefined;
  readonly put: (child: Child) => void;
  readonly isEmpty: () => boolean;
  readonly clear: () => void;
};

/** Children that wait for a call; each is killed when none comes within `idleMs` milliseconds. */
export function createIdleChildren(idleMs: number): IdleChildren {
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
    take() {
      for (const child of [...timers.keys()].reverse()) {
        remove(child);
        if (child.alive()) return child;
      }
      return undefined;
    },
    put: (child) => timers.set(child, setTimeout(drop, idleMs, child).unref()),
    isEmpty: () => ![...timers.keys()].some((child) => child.alive()),
    clear: () => [...timers.keys()].forEach(drop),
  };
}
