import clsx from "clsx";
import {
  type CSSProperties,
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from "react";
import type { PlanSummary } from "../api/api-types.ts";
import { PlanClockContext } from "../clock/plan-clock.ts";
import { SubPlanMark } from "../plans/plan-rows.tsx";
import { type ListOrder, orderAfterClick, type Sort } from "../plans/list-order.ts";
import { Link } from "../router/link.tsx";
import { useNow } from "../clock/use-now.ts";
import { usePlaceWidth } from "../ui/use-place-width.ts";
import { useRowWindow } from "../ui/use-row-window.ts";
import { type Column, columnsIn, GOAL } from "./columns.tsx";
import { PLANS_TABLE } from "./plans-table-words.ts";
import { allToggled, extended, type Selection, toggled } from "./selection.ts";
import { HEAD_PX, ROW_PX, useGridKeys } from "./use-grid-keys.ts";

/** More plans are loaded before the last row is in view. */
const AHEAD = 30;
const CHECK_PX = 40;
/** Space beside the rows: the scroll bar and the last cell's padding. */
const BESIDE_PX = 24;
/** A row and its cells. */
const LINE = "grid grid-cols-(--plans-columns) items-center border-b border-line pr-3 text-sm";
const CHECK = "grid place-items-center";
const BOX = "m-0 size-4 accent-accent";
const CELL = "min-w-0 truncate px-2";
const cellOf = ({ isNumber }: Column) => clsx(CELL, isNumber === true && "text-right tabular-nums");

const CLOCK = { now: () => Date.now(), ticks: true };

type Props = {
  readonly plans: readonly PlanSummary[];
  /** Whether all plans are loaded. */
  readonly isComplete: boolean;
  /** Whether these are still the plans in the previous order. */
  readonly isBusy: boolean;
  readonly order: ListOrder;
  readonly onOrder: (order: ListOrder) => void;
  readonly chosen: ReadonlySet<string>;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  readonly onNearEnd: () => void;
};

/**
 * A grid of any number of plans that draws only the visible rows. Its rows are one tab stop: arrows, page keys, Home and End
 * move between rows, Enter opens a plan, Space selects it, and Shift extends the selection.
 */
export function PlansTable(props: Props) {
  const { plans, isComplete, isBusy, order, onOrder, chosen, selection, onSelect, onNearEnd } = props;
  const now = useNow(10_000);
  const scroller = useRef<HTMLDivElement>(null);
  const widthPx = usePlaceWidth(scroller);
  const columns = useMemo(() => columnsIn(widthPx - CHECK_PX - BESIDE_PX, chosen), [widthPx, chosen]);
  useStillRows(scroller, plans, order);
  const { first, last } = useRowWindow(scroller, { count: plans.length, rowPx: ROW_PX });
  const { active, onKeyDown, onFocus } = useGridKeys(scroller, { plans, selection, onSelect });
  useEffect(() => {
    if (last + AHEAD >= plans.length) onNearEnd();
  }, [last, plans.length, onNearEnd]);
  const stop = active ?? Math.min(firstSeen(scroller.current), plans.length - 1);
  const drawn = new Set(Array.from({ length: last - first }, (_, index) => first + index));
  // The focused row stays drawn when it is scrolled out of view, and so does the row that Tab leads to.
  drawn.add(stop);
  const select = (planId: string, isRange: boolean) =>
    onSelect(isRange ? extended(selection, planId, plans) : toggled(selection, planId));
  return (
    <PlanClockContext value={CLOCK}>
      <div
        className="relative min-h-0 flex-1 overflow-x-hidden overflow-y-auto border-t border-line bg-surface [overflow-anchor:none]"
        ref={scroller}
      >
        <div
          role="grid"
          aria-labelledby="plans-title"
          aria-rowcount={isComplete ? plans.length + 1 : -1}
          aria-colcount={columns.length + 2}
          aria-multiselectable
          aria-busy={isBusy}
          style={gridStyle(columns)}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
        >
          <Head {...{ columns, order, onOrder, plans, selection, onSelect }} />
          <div
            role="rowgroup"
            // Many plans run at the same time: their text shows it, without animation.
            className="relative [--motion:none]"
            data-part="plans-rows"
            style={{ height: plans.length * ROW_PX }}
          >
            {[...drawn].map((index) => {
              const plan = plans[index];
              return (
                plan !== undefined && (
                  <PlanLine
                    key={plan.planId}
                    {...{ plan, index, columns, now }}
                    isSelected={selection.ids.has(plan.planId)}
                    isStop={index === stop}
                    onSelect={select}
                  />
                )
              );
            })}
          </div>
        </div>
      </div>
    </PlanClockContext>
  );
}

type HeadProps = Pick<Props, "order" | "onOrder" | "plans" | "selection" | "onSelect"> & {
  readonly columns: readonly Column[];
};

function Head({ columns, order, onOrder, plans, selection, onSelect }: HeadProps) {
  const count = plans.filter(({ planId }) => selection.ids.has(planId)).length;
  const isAll = count > 0 && count === plans.length;
  return (
    <div role="rowgroup" className="sticky top-0 z-2 bg-sunken" style={{ height: HEAD_PX }}>
      <div role="row" aria-rowindex={1} className={`${LINE} h-full`}>
        <div role="columnheader" className={CHECK}>
          <input
            className={BOX}
            type="checkbox"
            aria-label={PLANS_TABLE.selectAllLoadedPlans}
            checked={isAll}
            ref={(box) => {
              if (box !== null) box.indeterminate = count > 0 && !isAll;
            }}
            onChange={() => onSelect(allToggled(selection, plans))}
          />
        </div>
        {[GOAL, ...columns].map((column) => {
          const { id, label } = column;
          const isSorted = order.sort === id;
          return (
            <div key={id} role="columnheader" aria-sort={ariaSort(order, id)} className={cellOf(column)}>
              <button
                type="button"
                className={clsx(
                  "max-w-full border-0 bg-transparent px-0 py-0.5 text-xs font-semibold whitespace-nowrap hover:text-ink",
                  isSorted ? "text-ink" : "text-soft",
                )}
                onClick={() => onOrder(orderAfterClick(order, id))}
              >
                {label}
                <span aria-hidden="true">{isSorted && (order.order === "asc" ? " ↑" : " ↓")}</span>
              </button>
            </div>
          );
        })}
      </div>
    </div>
  );
}

function ariaSort({ sort, order }: ListOrder, id: Sort): "ascending" | "descending" | "none" {
  if (sort !== id) return "none";
  return order === "asc" ? "ascending" : "descending";
}

function gridStyle(columns: readonly Column[]): CSSProperties {
  const widths = columns.map(({ widthPx, widePx = widthPx }) => `clamp(${widthPx}px, 16%, ${widePx}px)`);
  const template = [`${CHECK_PX}px`, "minmax(0, 1fr)", ...widths].join(" ");
  // React's types do not include CSS variables.
  return { "--plans-columns": template } as CSSProperties;
}

function firstSeen(scroller: HTMLElement | null): number {
  return scroller === null ? 0 : Math.ceil(scroller.scrollTop / ROW_PX);
}

/**
 * New rows above do not move the rows that a reader has scrolled to; a new order starts at the top.
 *
 * @param order - A different value means a different order.
 */
function useStillRows(
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

type PlanLineProps = {
  readonly plan: PlanSummary;
  readonly index: number;
  readonly columns: readonly Column[];
  readonly now: number;
  readonly isSelected: boolean;
  /** Whether Tab leads here. */
  readonly isStop: boolean;
  /** @param isRange - Selects all rows from the last selected one to this one. */
  readonly onSelect: (planId: string, isRange: boolean) => void;
};

/** A long status ends in an ellipsis. */
const BADGE = "[&_.badge]:block [&_.badge]:truncate [&_.badge_svg]:mr-1.25 [&_.badge_svg]:align-[-2px]";

/** One row of the table. */
function PlanLine({ plan, index, columns, now, isSelected, isStop, onSelect }: PlanLineProps) {
  const { planId, parent } = plan;
  const selectByClick = (event: MouseEvent) => {
    if (event.target instanceof HTMLInputElement) return;
    if (!event.shiftKey && !event.ctrlKey && !event.metaKey) return;
    // A link would open another window.
    event.preventDefault();
    onSelect(planId, event.shiftKey);
  };
  return (
    <div
      role="row"
      className={`${LINE} absolute inset-x-0 -outline-offset-2 hover:bg-sunken aria-selected:bg-accent-soft forced-colors:aria-selected:outline-2`}
      data-plan={planId}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isStop ? 0 : -1}
      style={{ top: index * ROW_PX, height: ROW_PX }}
      onClickCapture={selectByClick}
    >
      <div role="gridcell" className={CHECK}>
        <input
          className={BOX}
          type="checkbox"
          tabIndex={-1}
          aria-label={PLANS_TABLE.selectPlan(plan.goal)}
          checked={isSelected}
          onClick={(event) => onSelect(planId, event.shiftKey)}
          onChange={() => undefined}
        />
      </div>
      <div
        role="gridcell"
        className={`${CELL} flex items-center gap-2`}
        data-part="plans-goal"
        title={GOAL.title?.(plan)}
      >
        <Link
          className="truncate text-ink no-underline hover:underline"
          href={`/plans/${encodeURIComponent(planId)}`}
          tabIndex={-1}
        >
          {GOAL.cell(plan, now)}
        </Link>
        <SubPlanMark parent={parent} />
      </div>
      {columns.map((column) => (
        <div
          key={column.id}
          role="gridcell"
          className={`${cellOf(column)} ${BADGE}`}
          title={column.title?.(plan)}
        >
          {column.cell(plan, now)}
        </div>
      ))}
    </div>
  );
}
