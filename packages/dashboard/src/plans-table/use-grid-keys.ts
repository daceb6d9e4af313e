/** Moves through the rows of the table, and selects them, by keyboard. */
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { PlanSummary } from "../api/api-types.ts";
import { rowAfterKey } from "../plans/rows-in-view.ts";
import { navigate } from "../router/use-route.ts";
import { revealRow } from "../ui/use-row-window.ts";
import { allToggled, extended, NOTHING_SELECTED, type Selection, toggled } from "./selection.ts";

export const ROW_PX = 28;
/** The header stays above the rows. */
export const HEAD_PX = 30;

type Grid = {
  readonly plans: readonly PlanSummary[];
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
};

/** @returns The row that has or had the focus, and the grid's event handlers. */
export function useGridKeys(scroller: RefObject<HTMLElement | null>, { plans, selection, onSelect }: Grid) {
  const [focused, setFocused] = useState<string>();
  const wanted = useRef<string>(undefined);
  const place = focused === undefined ? -1 : plans.findIndex(({ planId }) => planId === focused);
  const active = place === -1 ? undefined : place;
  useLayoutEffect(() => {
    if (wanted.current === undefined || wanted.current !== focused) return;
    wanted.current = undefined;
    lineOf(scroller.current, focused)?.focus({ preventScroll: true });
  }, [focused, scroller]);

  const goTo = (row: number, isSelecting: boolean): void => {
    const plan = plans[row];
    if (plan === undefined) return;
    revealRow(scroller.current, row, { rowPx: ROW_PX, headPx: HEAD_PX });
    wanted.current = plan.planId;
    setFocused(plan.planId);
    if (!isSelecting) return;
    const from = selection.anchor === undefined ? plans[active ?? row]?.planId : undefined;
    const begun = from === undefined ? selection : { ids: selection.ids, anchor: from };
    onSelect(extended(begun, plan.planId, plans));
  };
  const act = (key: string, planId: string): boolean => {
    if (key === "Enter") navigate(`/plans/${encodeURIComponent(planId)}`);
    else if (key === " ") onSelect(toggled(selection, planId));
    else if (key === "Escape" && selection.ids.size > 0) onSelect(NOTHING_SELECTED);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { target, key, shiftKey, altKey } = event;
    // Buttons and checkboxes handle their own keys.
    if (!(target instanceof HTMLElement) || target.dataset["plan"] === undefined || altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (key !== "a") return;
      event.preventDefault();
      return onSelect(allToggled(NOTHING_SELECTED, plans));
    }
    const rows = { rows: plans.length, page: pageOf(scroller.current) };
    const next = rowAfterKey(key, active ?? 0, rows);
    if (next !== undefined) goTo(next, shiftKey);
    else if (!act(key, target.dataset["plan"])) return;
    event.preventDefault();
  };
  const onFocus = ({ target }: FocusEvent): void => {
    const planId = target.closest<HTMLElement>("[data-plan]")?.dataset["plan"];
    if (planId !== undefined) setFocused(planId);
  };
  return { active, onKeyDown, onFocus };
}

function lineOf(scroller: HTMLElement | null, planId: string): HTMLElement | null {
  return scroller?.querySelector<HTMLElement>(`[data-plan="${CSS.escape(planId)}"]`) ?? null;
}

/** Number of visible rows. */
function pageOf(scroller: HTMLElement | null): number {
  return Math.max(1, Math.floor(((scroller?.clientHeight ?? 0) - HEAD_PX) / ROW_PX) - 1);
}
