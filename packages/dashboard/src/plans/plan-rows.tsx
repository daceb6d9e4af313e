import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { PlanSummary } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { formatAgo, formatDateTime, formatDuration } from "../ui/format.ts";
import { lookOf, PlanStatusBadge } from "../ui/status-badge.tsx";
import { useNow } from "../clock/use-now.ts";
import { PLAN_ROW } from "./plans-words.ts";
import { type Range, ROW_HEIGHT, rowAfterKey, rowsInView } from "./rows-in-view.ts";

/** Older plans are loaded before the last row is in view. */
const AHEAD = 20;

type Props = {
  readonly plans: readonly PlanSummary[];
  readonly selected: string | undefined;
  readonly onNearEnd: () => void;
};

/**
 * The rows of a list of any length; only the visible ones are drawn. They are one tab stop; arrows, page keys, Home and
 * End move between rows, Enter opens one.
 */
export function PlanRows({ plans, selected, onNearEnd }: Props) {
  const now = useNow(10_000);
  const list = useRef<HTMLUListElement>(null);
  const range = useRange(list, plans);
  useStillness(list, plans);
  const { active, onKeyDown, onFocus } = useRowKeys(list, plans);
  const drawn = plans.slice(range.first, range.end);
  useEffect(() => {
    if (range.end + AHEAD >= plans.length) onNearEnd();
  }, [plans.length, range.end, onNearEnd]);
  const stop = tabStop(plans, { range, active, selected });
  const row = (plan: PlanSummary, index: number) => (
    <PlanRow
      key={plan.planId}
      plan={plan}
      now={now}
      selected={plan.planId === selected}
      place={{ index, of: plans.length }}
      isStop={index === stop}
    />
  );
  const rows = drawn.map((plan, index) => row(plan, range.first + index));
  // The focused row stays drawn when it is scrolled out of view.
  const outside = active === undefined || isIn(range, active) ? undefined : plans[active];
  if (outside !== undefined && active !== undefined) rows.push(row(outside, active));
  return (
    <ul
      ref={list}
      // Many plans run at the same time: their bars and text show it, without animation.
      className="relative [--motion:none] [overflow-anchor:none]"
      data-part="plan-rows"
      style={{ height: plans.length * ROW_HEIGHT }}
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      {rows}
    </ul>
  );
}

function isIn({ first, end }: Range, row: number): boolean {
  return row >= first && row < end;
}

type ListRef = { readonly current: HTMLUListElement | null };

/** The visible rows, whichever element scrolls: the list itself, or on a narrow screen the page. */
function useRange(list: ListRef, plans: readonly PlanSummary[]): Range {
  const [range, setRange] = useState<Range>({ first: 0, end: Math.min(plans.length, 30) });
  const measure = useCallback(() => {
    const sight = sightOf(list.current);
    if (sight === undefined) return;
    const next = rowsInView(sight, plans.length);
    setRange((before) => (before.first === next.first && before.end === next.end ? before : next));
  }, [plans.length, list]);
  useLayoutEffect(measure, [measure]);
  useEffect(() => {
    addEventListener("scroll", measure, { capture: true, passive: true });
    addEventListener("resize", measure);
    return () => {
      removeEventListener("scroll", measure, { capture: true });
      removeEventListener("resize", measure);
    };
  }, [measure]);
  return range;
}

/** Keeps the rows on screen in place when new plans arrive above them. */
function useStillness(list: ListRef, plans: readonly PlanSummary[]): void {
  const before = useRef(plans);
  useLayoutEffect(() => {
    const earlier = before.current;
    before.current = plans;
    const sight = sightOf(list.current);
    if (sight === undefined || earlier === plans) return;
    const topRow = Math.floor((sight.top - sight.listTop) / ROW_HEIGHT);
    const top = topRow > 0 ? earlier[topRow] : undefined;
    if (top === undefined) return;
    const place = plans.findIndex(({ planId }) => planId === top.planId);
    if (place !== -1 && place !== topRow) scrollList(list.current, (place - topRow) * ROW_HEIGHT);
  }, [plans, list]);
}

function useRowKeys(list: ListRef, plans: readonly PlanSummary[]) {
  const [focused, setFocused] = useState<string>();
  const wanted = useRef<string>(undefined);
  const place = focused === undefined ? -1 : plans.findIndex(({ planId }) => planId === focused);
  const active = place === -1 ? undefined : place;
  useLayoutEffect(() => {
    if (wanted.current === undefined || wanted.current !== focused) return;
    wanted.current = undefined;
    const row = list.current?.querySelector<HTMLElement>(`[data-plan="${CSS.escape(focused)}"]`);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: "nearest" });
  }, [focused, list]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const sight = sightOf(list.current);
    const page =
      sight === undefined ? 1 : Math.max(1, Math.floor((sight.bottom - sight.top) / ROW_HEIGHT) - 1);
    const next = rowAfterKey(event.key, active ?? 0, { rows: plans.length, page });
    const plan = next === undefined ? undefined : plans[next];
    if (plan === undefined) return;
    event.preventDefault();
    wanted.current = plan.planId;
    setFocused(plan.planId);
  };
  const onFocus = ({ target }: { target: EventTarget }) => {
    if (target instanceof HTMLElement) setFocused(target.dataset["plan"]);
  };
  return { active, onKeyDown, onFocus };
}

/** The row that Tab leads to: the last focused row, the open plan, or the first visible row. */
function tabStop(
  plans: readonly PlanSummary[],
  { range, active, selected }: { range: Range; active: number | undefined; selected: string | undefined },
): number {
  if (active !== undefined) return active;
  const open = plans.findIndex(({ planId }) => planId === selected);
  return isIn(range, open) ? open : range.first;
}

function sightOf(list: HTMLElement | null) {
  const scroller = list?.closest('[data-part="rail-body"]');
  if (list === null || scroller === null || scroller === undefined) return undefined;
  const { top, bottom } = scroller.getBoundingClientRect();
  return {
    listTop: list.getBoundingClientRect().top,
    top: Math.max(0, top),
    bottom: Math.min(innerHeight, bottom),
  };
}

function scrollList(list: HTMLElement | null, pixels: number): void {
  const scroller = list?.closest('[data-part="rail-body"]');
  if (scroller instanceof HTMLElement && getComputedStyle(scroller).overflowY === "auto")
    scroller.scrollTop += pixels;
  else scrollBy(0, pixels);
}

type PlanRowProps = {
  readonly plan: PlanSummary;
  readonly now: number;
  readonly selected: boolean;
  readonly place: { readonly index: number; readonly of: number };
  /** Whether Tab leads here. */
  readonly isStop: boolean;
};

function PlanRow({ plan, now, selected, place: { index, of }, isStop }: PlanRowProps) {
  const { planId, goal, status, answerStatus, submittedAt, endedAt, progress, parent } = plan;
  const open = endedAt === undefined;
  return (
    <li
      className="absolute inset-x-0 pb-0.5"
      aria-setsize={of}
      aria-posinset={index + 1}
      style={{ top: index * ROW_HEIGHT, height: ROW_HEIGHT }}
    >
      <Link
        className="relative grid h-full content-center gap-1.25 rounded-md px-3 text-ink no-underline -outline-offset-2 hover:bg-sunken aria-[current]:bg-accent-soft data-[sub-plan=true]:pl-7 forced-colors:aria-[current]:outline-2"
        data-part="plan-row"
        href={`/plans/${encodeURIComponent(planId)}`}
        aria-current={selected ? "page" : undefined}
        data-plan={planId}
        data-sub-plan={parent !== undefined}
        tabIndex={isStop ? 0 : -1}
        title={goal}
      >
        <span className="line-clamp-2" data-part="plan-row-goal">
          {goal}
        </span>
        <span className="flex items-center gap-2 overflow-hidden text-xs whitespace-nowrap text-faint">
          <PlanStatusBadge status={status} answer={answerStatus} plain />
          <SubPlanMark parent={parent} />
          {open && progress.total > 0 && (
            <span>
              {progress.done}/{progress.total}
            </span>
          )}
          <span className="ml-auto min-w-0 truncate" title={formatDateTime(submittedAt)}>
            {!open && `${formatDuration(Date.parse(endedAt) - Date.parse(submittedAt))} · `}
            {formatAgo(submittedAt, now)}
          </span>
        </span>
        {open && (
          <span
            className={`absolute inset-x-3 bottom-0.75 h-0.75 overflow-hidden rounded-full bg-line forced-color-adjust-none tone-${lookOf(status).tone}`}
            aria-hidden="true"
          >
            <span className="block h-full rounded-full bg-tone" style={{ width: `${progress.percent}%` }} />
          </span>
        )}
      </Link>
    </li>
  );
}

/** Marks sub-plans in a list. */
export function SubPlanMark({ parent }: Pick<PlanSummary, "parent">) {
  if (parent === undefined) return null;
  return (
    <span
      className="rounded-full border border-line px-1.5 whitespace-nowrap"
      title={PLAN_ROW.subPlanOf(parent)}
    >
      {PLAN_ROW.subPlan}
    </span>
  );
}
