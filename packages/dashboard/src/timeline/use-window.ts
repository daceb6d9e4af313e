import { type RefObject, useEffect, useState } from "react";

export const ROW_PX = 26;
/** Rows above and below what is seen, so that a quick hand finds them drawn. */
const SPARE = 12;

export type RowWindow = { readonly first: number; readonly last: number };

/** Which of many rows of equal height are drawn: those that are seen, and some around them. */
export function useWindow(scroller: RefObject<HTMLElement | null>, rows: number): RowWindow {
  const [seen, setSeen] = useState<RowWindow>({ first: 0, last: 60 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / ROW_PX);
      const last = first + Math.ceil(element.clientHeight / ROW_PX);
      // Not every line that is scrolled draws anew.
      setSeen((before) => {
        const isNear = Math.abs(before.first - first) < SPARE / 2 && Math.abs(before.last - last) < SPARE / 2;
        return isNear ? before : { first, last };
      });
    };
    const resized = new ResizeObserver(look);
    resized.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller]);
  return { first: Math.max(0, seen.first - SPARE), last: Math.min(rows, seen.last + SPARE) };
}
