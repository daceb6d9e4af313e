/** Lists of many rows of one height: which of them are drawn, and how one comes into sight. */
import { type RefObject, useLayoutEffect, useState } from "react";

/** Rows above and below what is seen, so that a quick hand finds them drawn. */
const SPARE = 12;

/** From `first` to before `last`. */
type RowWindow = { readonly first: number; readonly last: number };

type Rows = { readonly count: number; readonly rowPx: number };

/** The rows that are seen, as far as their list is scrolled, and some around them. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, { count, rowPx }: Rows): RowWindow {
  const [seen, setSeen] = useState<RowWindow>({ first: 0, last: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / rowPx);
      const last = first + Math.ceil(element.clientHeight / rowPx);
      // Do not draw again for every line that is scrolled.
      setSeen((before) => {
        const isNear = Math.abs(before.first - first) < SPARE / 2 && Math.abs(before.last - last) < SPARE / 2;
        return isNear ? before : { first, last };
      });
    };
    look();
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, rowPx]);
  return {
    first: Math.max(0, Math.min(seen.first, count) - SPARE),
    last: Math.min(count, seen.last + SPARE),
  };
}

/**
 * Scrolls as little as it takes to see a row.
 *
 * @param options.headPx - What stands over the rows while they are scrolled; default 0.
 */
export function revealRow(
  scroller: HTMLElement | null,
  index: number,
  { rowPx, headPx = 0 }: { readonly rowPx: number; readonly headPx?: number },
): void {
  if (scroller === null) return;
  const topPx = index * rowPx;
  const bottomPx = topPx + rowPx + headPx;
  if (topPx < scroller.scrollTop) scroller.scrollTop = topPx;
  else if (bottomPx > scroller.scrollTop + scroller.clientHeight)
    scroller.scrollTop = bottomPx - scroller.clientHeight;
}
