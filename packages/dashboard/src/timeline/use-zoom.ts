import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

export const ZOOM_MAX = 64;

export type Zoom = {
  /** How many times as wide as the place the times are drawn. */
  readonly zoom: number;
  /** @param factor - By how much; the place that the eye is on stays. */
  readonly zoomBy: (factor: number) => void;
  readonly fit: () => void;
};

/** Zooms by buttons, keys, and the wheel with Ctrl, which is also what two fingers on a touchpad send. */
export function useZoom(scroller: RefObject<HTMLElement | null>): Zoom {
  const [zoom, setZoom] = useState(1);
  /** The share of the whole width that stands still, and where it stands in the place. */
  const held = useRef<{ share: number; atPx: number }>(undefined);
  const zoomAt = (factor: number, atPx?: number) => {
    const element = scroller.current;
    if (element === null) return;
    const at = atPx ?? element.clientWidth / 2;
    held.current = { share: (element.scrollLeft + at) / element.scrollWidth, atPx: at };
    setZoom((before) => Math.min(ZOOM_MAX, Math.max(1, before * factor)));
  };
  const latest = useRef(zoomAt);
  latest.current = zoomAt;
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const turn = (event: WheelEvent) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      latest.current(event.deltaY < 0 ? 1.25 : 0.8, event.clientX - element.getBoundingClientRect().left);
    };
    element.addEventListener("wheel", turn, { passive: false });
    return () => element.removeEventListener("wheel", turn);
  }, [scroller]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || held.current === undefined) return;
    element.scrollLeft = held.current.share * element.scrollWidth - held.current.atPx;
    held.current = undefined;
  }, [zoom, scroller]);
  return { zoom, zoomBy: (factor) => zoomAt(factor), fit: () => setZoom(1) };
}
