/**
 * Of a user's tabs in this browser, at most one shows notifications, and none while any of them is visible.
 *
 * Two Web Locks ensure this: the tab that holds the first lock may notify, and visible tabs share the second one. The browser
 * releases the locks of a tab that is closed or crashes. Without Web Locks, each hidden tab may notify; notifications with the
 * same tag replace each other.
 */

export type OneTab = {
  readonly mayNotify: () => Promise<boolean>;
  readonly stop: () => void;
};

type OneTabDeps = {
  /** Absent in pages without a secure origin. */
  readonly locks: Pick<LockManager, "request" | "query"> | null | undefined;
  readonly page: Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;
};

/** @param user - Tabs of other users are ignored. */
export function oneTab(user: string, { locks, page }: OneTabDeps): OneTab {
  const names = { notifies: `planwright.notifies ${user}`, visible: `planwright.visible ${user}` };
  const stopping = new AbortController();
  const isVisible = (): boolean => page.visibilityState === "visible";
  let isChosen = !locks;
  let hide: (() => void) | undefined;
  /** Waits for a lock and holds it until the returned function is called. */
  const hold = (name: string, mode: LockMode, onHeld: () => void): (() => void) => {
    const released = Promise.withResolvers<void>();
    const waiting = new AbortController();
    locks
      ?.request(name, { mode, signal: waiting.signal }, () => {
        onHeld();
        return released.promise;
      })
      .catch((error: unknown) => {
        if (!waiting.signal.aborted) console.info(`no lock ${name}: ${String(error)}`);
      });
    return () => {
      waiting.abort();
      released.resolve();
    };
  };
  const noteVisibility = (): void => {
    if (isVisible()) hide ??= hold(names.visible, "shared", () => undefined);
    else {
      hide?.();
      hide = undefined;
    }
  };
  const resign = hold(names.notifies, "exclusive", () => {
    isChosen = true;
  });
  noteVisibility();
  page.addEventListener("visibilitychange", noteVisibility, { signal: stopping.signal });
  return {
    async mayNotify() {
      if (isVisible() || !isChosen) return false;
      const held = (await locks?.query())?.held ?? [];
      return held.every(({ name }) => name !== names.visible);
    },
    stop() {
      stopping.abort();
      hide?.();
      resign();
      isChosen = false;
    },
  };
}
