import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import { useKeys } from "../keys/use-keys.ts";
import { USE_DIALOG_FOCUS } from "./ui-words.ts";

/** Where the focus was when a reader opened what lies beside the page. */
let openedFrom: Element | null = null;

/**
 * What lies beside the page takes the focus when it opens; Escape closes it. It may come late, after an address that names
 * it was opened: it does not take the focus from what the reader has turned to since.
 *
 * @returns For the element that takes the focus.
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
 * The focus returns to where it was before something lay over the page: only then can it be there again.
 *
 * @returns To be called before that is opened: what is covered loses the focus at once.
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
