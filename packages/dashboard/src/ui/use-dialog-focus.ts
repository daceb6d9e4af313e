import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { USE_DIALOG_FOCUS } from "./ui-words.ts";

/** The element that had the focus when the reader opened the panel beside the page. */
let openedFrom: Element | null = null;

/**
 * A panel beside the page takes the focus when it opens; Escape closes it. A panel that a URL names may open late: it
 * does not take the focus from an element that the reader has moved to since.
 *
 * @returns The ref for the element that takes the focus.
 */
export function useDialogFocus<Heading extends HTMLElement>(close: () => void): RefObject<Heading | null> {
  const heading = useRef<Heading>(null);
  useKeys([{ keys: "Escape", label: USE_DIALOG_FOCUS.label, run: close }]);
  useEffect(() => {
    const { activeElement, body } = document;
    if (activeElement === null || activeElement === body || activeElement === openedFrom)
      heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}

/**
 * Returns the focus to where it was once nothing covers the page: only then can that element take the focus.
 *
 * @returns A function to call before the panel opens: a covered element loses the focus immediately.
 */
export function useReturnFocus(isOpen: boolean): () => void {
  const opener = useRef<Element>(null);
  useLayoutEffect(() => {
    if (isOpen) return;
    if (opener.current instanceof HTMLElement || opener.current instanceof SVGElement)
      opener.current.focus({ preventScroll: true });
    opener.current = null;
  }, [isOpen]);
  return () => {
    if (isOpen) return;
    opener.current = document.activeElement;
    openedFrom = opener.current;
  };
}
