/** A time limit that pauses while it waits for another party. */
export type OwnTime = Disposable & {
  readonly pause: () => void;
  readonly resume: () => void;
};

/** Counts from now; calls `onOver` once when `limitMs` milliseconds of unpaused time have passed. */
export function countOwnTime(limitMs: number, onOver: () => void): OwnTime {
  let leftMs = limitMs;
  let since = performance.now();
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined = setTimeout(onOver, leftMs);
  return {
    pause() {
      if (timer === undefined) return;
      clearTimeout(timer);
      timer = undefined;
      leftMs -= performance.now() - since;
    },
    resume() {
      if (timer !== undefined || isEnded) return;
      since = performance.now();
      timer = setTimeout(onOver, Math.max(0, leftMs));
    },
    [Symbol.dispose]() {
      isEnded = true;
      clearTimeout(timer);
    },
  };
}
