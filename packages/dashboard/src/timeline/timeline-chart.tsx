import type { Timeline } from "@planwright/plan/timeline";
import clsx from "clsx";
import {
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { PlanView } from "../api/api-types.ts";
import { Button } from "../ui/button.tsx";
import { revealRow, useRowWindow } from "../ui/use-row-window.ts";
import { TimelineAxis } from "./timeline-axis.tsx";
import { NAME_CELL, TimelineRowView } from "./timeline-row.tsx";
import { ROW_PX, type TimelineRow } from "./timeline-rows.ts";
import { TimelineTip } from "./timeline-tip.tsx";
import { TIMELINE_CHART } from "./timeline-words.ts";

const ZOOM_MAX = 64;

type Props = {
  readonly view: PlanView;
  readonly timeline: Timeline;
  readonly rows: readonly TimelineRow[];
  readonly nowMs: number;
  readonly roomMs: number;
  readonly selected: string | undefined;
  readonly onSelect: (id: string | undefined) => void;
  readonly onToggle: (stepId: string) => void;
};

/** Rows and bars: up and down move between rows, Enter opens the step, right and left expand and collapse its items. */
export function TimelineChart({ view, timeline, rows, nowMs, roomMs, selected, onSelect, onToggle }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const { first, last } = useRowWindow(scroller, { count: rows.length, rowPx: ROW_PX });
  const { zoom, zoomBy, fit } = useZoom(scroller);
  const { active, setActive, goTo } = useActiveRow(scroller, rows, selected);
  const [tip, setTip] = useState<{ key: string; x: number; y: number }>();
  const tipped = rows.find(({ key }) => key === tip?.key);
  const onKeyDown = (event: KeyboardEvent) => {
    const row = rows[active];
    const act = keyAction(event, { row, active, count: rows.length, goTo, zoomBy, fit, onToggle, onSelect });
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      <ZoomTools zoom={zoom} zoomBy={zoomBy} fit={fit} />
      <div
        className="@container relative max-h-[min(70vh,900px)] overflow-auto border-t border-line [--name:clamp(96px,30cqw,320px)] [--width:calc(var(--name)+(100cqw-var(--name))*var(--zoom))]"
        data-part="timeline-scroller"
        ref={scroller}
        style={{ "--zoom": zoom } as CSSProperties}
        onKeyDown={onKeyDown}
        onMouseLeave={() => setTip(undefined)}
      >
        <div
          className="sticky top-0 z-3 flex w-(--width) border-b border-line bg-surface"
          data-part="timeline-head"
        >
          <span className={clsx(NAME_CELL, "self-end pb-1 pl-4 text-xs text-soft max-md:pl-2")}>
            {TIMELINE_CHART.step}
          </span>
          {/* The last bar ends before the edge. */}
          <div className="relative mr-3.5 min-w-0 flex-1">
            <TimelineAxis timeline={timeline} roomMs={roomMs} nowMs={nowMs} zoom={zoom} />
          </div>
        </div>
        <div
          className="relative w-(--width)"
          role="grid"
          aria-label={TIMELINE_CHART.chart}
          aria-rowcount={rows.length}
          style={{ height: rows.length * ROW_PX }}
        >
          {rows.slice(first, last).map((row, index) => (
            <TimelineRowView
              key={row.key}
              row={row}
              view={view}
              index={first + index}
              roomMs={roomMs}
              nowMs={nowMs}
              isSelected={row.stepId === selected}
              isActive={first + index === active}
              onSelect={onSelect}
              onToggle={onToggle}
              onActive={setActive}
              onTip={setTip}
            />
          ))}
        </div>
      </div>
      {tip !== undefined && tipped !== undefined && (
        <TimelineTip row={tipped} view={view} nowMs={nowMs} x={tip.x} y={tip.y} />
      )}
    </>
  );
}

function ZoomTools({ zoom, zoomBy, fit }: Zoom) {
  return (
    <div
      className="flex flex-wrap items-center gap-1 px-3 pb-1.5 text-sm text-soft"
      role="group"
      aria-label={TIMELINE_CHART.zoom}
    >
      <Button kind="quiet" disabled={zoom === 1} onClick={fit}>
        {TIMELINE_CHART.fit}
      </Button>
      <Button kind="quiet" disabled={zoom <= 1} onClick={() => zoomBy(0.5)}>
        {TIMELINE_CHART.zoomOut}
      </Button>
      <Button kind="quiet" disabled={zoom >= ZOOM_MAX} onClick={() => zoomBy(2)}>
        {TIMELINE_CHART.zoomIn}
      </Button>
      <output>
        {zoom === 1 ? TIMELINE_CHART.wholePlan : TIMELINE_CHART.zoomed(Math.round(zoom * 10) / 10)}
      </output>
    </div>
  );
}

type KeyPlace = {
  readonly row: TimelineRow | undefined;
  readonly active: number;
  readonly count: number;
  readonly goTo: (index: number) => void;
  readonly zoomBy: (factor: number) => void;
  readonly fit: () => void;
  readonly onToggle: (stepId: string) => void;
  readonly onSelect: (id: string | undefined) => void;
};

/** Number of rows that Page Up and Page Down move by. */
const PAGE = 15;

function keyAction(event: KeyboardEvent, place: KeyPlace): (() => void) | undefined {
  const { row, active, count, goTo, zoomBy, fit, onToggle, onSelect } = place;
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  // A link or a button inside a row handles its own keys.
  const isOnRow = event.target instanceof HTMLElement && event.target.dataset["row"] !== undefined;
  switch (event.key) {
    case "ArrowDown":
      return () => goTo(active + 1);
    case "ArrowUp":
      return () => goTo(active - 1);
    case "PageDown":
      return () => goTo(active + PAGE);
    case "PageUp":
      return () => goTo(active - PAGE);
    case "Home":
      return () => goTo(0);
    case "End":
      return () => goTo(count - 1);
    case "Enter":
      return isOnRow && row !== undefined ? () => onSelect(row.stepId) : undefined;
    case "ArrowRight":
    case "ArrowLeft": {
      const wantsOpen = event.key === "ArrowRight";
      const items = row?.items;
      return row !== undefined && items !== undefined && items.isOpen !== wantsOpen
        ? () => onToggle(row.stepId)
        : undefined;
    }
    case "+":
    case "=":
      return () => zoomBy(2);
    case "-":
      return () => zoomBy(0.5);
    case "0":
      return fit;
    default:
      return undefined;
  }
}

/**
 * The keyboard's row: where the user moved it, else the row of the selected step, else the first.
 *
 * @param scroller - Contains the rows; those out of view may not be drawn.
 */
function useActiveRow(
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
    // It may only be drawn now that it is in view.
    requestAnimationFrame(() => {
      const drawn = scroller.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [];
      [...drawn].find((element) => element.dataset["row"] === row.key)?.focus({ preventScroll: true });
    });
  };
  return { active: keyAt >= 0 ? keyAt : Math.max(0, selectedAt), setActive, goTo };
}

/** The axis stays above the rows while they scroll. */
function reveal(element: HTMLElement | null, index: number): void {
  const headPx = element?.querySelector<HTMLElement>('[data-part="timeline-head"]')?.offsetHeight ?? 0;
  revealRow(element, index, { rowPx: ROW_PX, headPx });
}

type Zoom = {
  /** Zoom factor: the drawing's width relative to the visible width. */
  readonly zoom: number;
  /** @param factor - The change in zoom; the point in focus stays in place. */
  readonly zoomBy: (factor: number) => void;
  readonly fit: () => void;
};

/** Zooms with buttons, keys, and Ctrl + wheel, which pinching on a touchpad also sends. */
function useZoom(scroller: RefObject<HTMLElement | null>): Zoom {
  const [zoom, setZoom] = useState(1);
  /** The point that stays in place: its share of the whole width, and its position in the visible area. */
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
