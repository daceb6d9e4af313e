/** Lists of many rows of equal height: which of them are drawn, and how to scroll one into view. */
import { type RefObject, useLayoutEffect, useState } from "react";

/** Extra rows above and below the visible ones, so that fast scrolling shows no gaps. */
const SPARE = 12;

/** From `first` to before `last`. */
type RowWindow = { readonly first: number; readonly last: number };

type Rows = { readonly count: number; readonly rowPx: number };

/** The visible rows of a scrolled list, and some around them. */
export function useRowWindow(scroller: RefObject<HTMLElement | null>, { count, rowPx }: Rows): RowWindow {
  const [seen, setSeen] = useState<RowWindow>({ first: 0, last: 0 });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / rowPx);
      const last = first + Math.ceil(element.clientHeight / rowPx);
      // Do not render for every scrolled line.
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
 * Scrolls just far enough to show a row.
 *
 * @param options.headPx - The height of the header that covers the rows while they scroll; default 0.
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
