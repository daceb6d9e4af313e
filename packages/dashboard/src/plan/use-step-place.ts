import { type RefObject, useEffect, useRef } from "react";
import type { StepView } from "../api/api-types.ts";
import { useSearchField } from "../router/use-route.ts";
import { placeIn, type StepPlace } from "./step-place.ts";

/** The place inside of the step that the address leads to. */
export function useStepPlace(step: StepView): StepPlace {
  const [item] = useSearchField("item");
  const [turn] = useSearchField("turn");
  return placeIn(step, { item, turn });
}

/** Above what is scrolled to. */
const ROOM_PX = 12;

/** @returns For the element that the drawer is scrolled to, once the address leads there. */
export function useScrolledTo<Place extends HTMLElement>(isPlace: boolean): RefObject<Place | null> {
  const place = useRef<Place>(null);
  useEffect(() => {
    const drawer = place.current?.closest('[data-part="drawer-body"]');
    if (!isPlace || !drawer || place.current === null) return;
    const { top } = place.current.getBoundingClientRect();
    drawer.scrollBy({ top: top - drawer.getBoundingClientRect().top - ROOM_PX, behavior: "instant" });
  }, [isPlace]);
  return place;
}
