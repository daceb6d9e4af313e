/** One tick per second for everything on the page that shows elapsed time; none while the page is hidden or nothing listens. */

export const TICK_MS = 1_000;

type Ticker = {
  /** @returns A function that stops it. */
  readonly onTick: (listener: () => void) => () => void;
};

/** The part of a document that reports whether the page is visible. */
export type Visibility = Pick<Document, "visibilityState" | "addEventListener" | "removeEventListener">;

export function createTicker(page: Visibility): Ticker {
  const listeners = new Set<() => void>();
  let timer: ReturnType<typeof setInterval> | undefined;
  const tick = (): void => {
    for (const listener of listeners) listener();
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const run = (): void => {
    if (page.visibilityState === "visible") timer ??= setInterval(tick, TICK_MS);
    else stop();
  };
  const onVisibility = (): void => {
    run();
    // Text that did not change while the page was hidden is out of date.
    if (timer !== undefined) tick();
  };
  return {
    onTick(listener) {
      if (listeners.size === 0) page.addEventListener("visibilitychange", onVisibility);
      listeners.add(listener);
      run();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        page.removeEventListener("visibilitychange", onVisibility);
        stop();
      };
    },
  };
}

let shared: Ticker | undefined;

/** @returns A function that stops it. */
export function onTick(listener: () => void): () => void {
  shared ??= createTicker(document);
  return shared.onTick(listener);
}
