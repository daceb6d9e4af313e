import { type RefObject, useLayoutEffect, useRef } from "react";
import type { PlanSummary } from "../api/api-types.ts";
import { ROW_PX } from "./use-grid-keys.ts";

/**
 * New rows above do not move the rows that a reader has scrolled to; another order begins at the top.
 *
 * @param order - Another value is another order.
 */
export function useStillRows(
  scroller: RefObject<HTMLElement | null>,
  plans: readonly PlanSummary[],
  order: unknown,
): void {
  const before = useRef({ plans, order });
  useLayoutEffect(() => {
    const { plans: earlier, order: earlierOrder } = before.current;
    before.current = { plans, order };
    const element = scroller.current;
    if (element === null) return;
    if (order !== earlierOrder) {
      element.scrollTop = 0;
      return;
    }
    const topRow = Math.floor(element.scrollTop / ROW_PX);
    const top = topRow > 0 ? earlier[topRow] : undefined;
    if (top === undefined || earlier === plans) return;
    const place = plans.findIndex(({ planId }) => planId === top.planId);
    if (place !== -1 && place !== topRow) element.scrollTop += (place - topRow) * ROW_PX;
  }, [plans, order, scroller]);
}
