import { type RefObject, useState } from "react";
import { revealRow } from "../ui/use-row-window.ts";
import { ROW_PX, type TimelineRow } from "./timeline-rows.ts";

/**
 * The row that the keyboard is on: where it was moved to, else that of the selected step, else the first.
 *
 * @param scroller - Holds the rows; those that are out of sight may not be drawn.
 */
export function useActiveRow(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly TimelineRow[],
  selected: string | undefined,
) {
  const [activeKey, setActive] = useState<string>();
  const keyAt = rows.findIndex(({ key }) => key === activeKey);
  const selectedAt = rows.findIndex(({ stepId }) => stepId === selected);
  const goTo = (index: number) => {
    const at = Math.min(rows.length - 1, Math.max(0, index));
    const row = rows[at];
    if (row === undefined) return;
    setActive(row.key);
    reveal(scroller.current, at);
    // It may be drawn only now that it is in sight.
    requestAnimationFrame(() => {
      const drawn = scroller.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [];
      [...drawn].find((element) => element.dataset["row"] === row.key)?.focus({ preventScroll: true });
    });
  };
  return { active: keyAt >= 0 ? keyAt : Math.max(0, selectedAt), setActive, goTo };
}

/** The times stand over the rows while these are scrolled. */
function reveal(element: HTMLElement | null, index: number): void {
  const headPx = element?.querySelector<HTMLElement>('[data-part="timeline-head"]')?.offsetHeight ?? 0;
  revealRow(element, index, { rowPx: ROW_PX, headPx });
}
