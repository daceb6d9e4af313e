import type { Timeline } from "@planwright/plan/timeline";
import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import type { PlanView } from "../api/api-types.ts";
import { useRowWindow } from "../ui/use-row-window.ts";
import { TimelineAxis } from "./timeline-axis.tsx";
import { TimelineRowView } from "./timeline-row.tsx";
import { ROW_PX, type TimelineRow } from "./timeline-rows.ts";
import { TimelineTip } from "./timeline-tip.tsx";
import { useActiveRow } from "./use-active-row.ts";
import { useZoom, type Zoom, ZOOM_MAX } from "./use-zoom.ts";
import { TIMELINE_CHART } from "./timeline-words.ts";
import styles from "./timeline-chart.module.css";

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

/** Rows and bars: up and down go from row to row, Enter opens the step, right and left its items. */
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
        className={styles.timelineScroller}
        data-part="timeline-scroller"
        ref={scroller}
        style={{ "--zoom": zoom, "--row": `${ROW_PX}px` } as CSSProperties}
        onKeyDown={onKeyDown}
        onMouseLeave={() => setTip(undefined)}
      >
        <div className={styles.timelineHead} data-part="timeline-head">
          <span className={styles.timelineCorner}>{TIMELINE_CHART.step}</span>
          <div className={styles.timelineTrack}>
            <TimelineAxis timeline={timeline} roomMs={roomMs} nowMs={nowMs} zoom={zoom} />
          </div>
        </div>
        <div
          className={styles.timelineRows}
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
    <div className={styles.timelineTools} role="group" aria-label={TIMELINE_CHART.zoom}>
      <button type="button" className="button button-quiet" disabled={zoom === 1} onClick={fit}>
        {TIMELINE_CHART.fit}
      </button>
      <button type="button" className="button button-quiet" disabled={zoom <= 1} onClick={() => zoomBy(0.5)}>
        {TIMELINE_CHART.zoomOut}
      </button>
      <button
        type="button"
        className="button button-quiet"
        disabled={zoom >= ZOOM_MAX}
        onClick={() => zoomBy(2)}
      >
        {TIMELINE_CHART.zoomIn}
      </button>
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
