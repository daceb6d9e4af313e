import { type RefObject, useEffect, useRef } from "react";

/**
 * What lies beside the page takes the focus when it opens, and gives it back to where it was opened from; Escape
 * closes it.
 *
 * @returns For the element that takes the focus.
 */
export function useDialogFocus<Heading extends HTMLElement>(close: () => void): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const opener = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    const closeByKey = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) latest.current();
    };
    addEventListener("keydown", closeByKey);
    return () => {
      removeEventListener("keydown", closeByKey);
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  return heading;
}
