/** Text that shows elapsed time: each tick changes only its text node and renders nothing. */
import { useContext, useLayoutEffect, useRef } from "react";
import { formatElapsed } from "../ui/format.ts";
import { useSameFunction } from "../ui/use-stable.ts";
import { PlanClockContext } from "./plan-clock.ts";
import { onTick } from "./ticker.ts";

type Props = {
  /** The text at a time, in milliseconds since the epoch. */
  readonly textAt: (nowMs: number) => string;
  readonly className?: string | undefined;
};

export function Ticking({ textAt, className }: Props) {
  const { now, ticks } = useContext(PlanClockContext);
  const place = useRef<HTMLSpanElement>(null);
  const current = useSameFunction(textAt);
  useLayoutEffect(() => {
    const write = (): void => setText(place.current, current(now()));
    write();
    return ticks ? onTick(write) : undefined;
  }, [current, now, ticks]);
  // Any render may have changed the text.
  useLayoutEffect(() => setText(place.current, textAt(now())));
  return <span ref={place} className={className} />;
}

function setText(element: HTMLElement | null, text: string): void {
  if (element === null) return;
  const { firstChild } = element;
  if (firstChild instanceof Text) {
    if (firstChild.data !== text) firstChild.data = text;
  } else if (text !== "") element.append(text);
}

/** How long something has been running, in whole seconds. */
export function Elapsed({ since, className }: { readonly since: string; readonly className?: string }) {
  const sinceMs = Date.parse(since);
  return <Ticking className={className} textAt={(nowMs) => formatElapsed(nowMs - sinceMs)} />;
}
