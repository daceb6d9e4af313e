import { type RefObject, useLayoutEffect, useState } from "react";

/** Rows above and below what is seen, so that a quick scroll meets no gap. */
const OVERSCAN = 12;

export type RowWindow = { readonly from: number; readonly to: number };

/** Which of many rows of one height are worth drawing, as far as their list is scrolled. */
export function useWindow(
  list: RefObject<HTMLElement | null>,
  { count, rowPx }: { readonly count: number; readonly rowPx: number },
): RowWindow {
  const [seen, setSeen] = useState({ top: 0, height: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const look = (): void => {
      // To the row: nothing is drawn anew for less.
      const top = Math.floor(element.scrollTop / rowPx);
      const height = Math.ceil(element.clientHeight / rowPx);
      setSeen((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener("scroll", look);
      resized.disconnect();
    };
  }, [list, rowPx]);
  return {
    from: Math.max(0, Math.min(seen.top, count) - OVERSCAN),
    to: Math.min(count, seen.top + seen.height + OVERSCAN),
  };
}
