import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { keyMove } from "./key-move.ts";
import { SpanRowView } from "./span-row.tsx";
import { stepOfSpan } from "./step-of-span.ts";
import { TimeAxis } from "./time-axis.tsx";
import { useWindow } from "./use-window.ts";
import type { VisibleRow } from "./visible-rows.ts";

const ROW_PX = 26;

type Props = {
  readonly rows: readonly VisibleRow[];
  readonly durationMs: number;
  /** The span whose details are shown. */
  readonly chosen: string | undefined;
  /** Where the reader begins. */
  readonly start: string | undefined;
  readonly step: string | undefined;
  readonly onChoose: (spanId: string | undefined) => void;
  readonly onToggle: (spanId: string, open: boolean) => void;
};

/** The spans as a tree over time. Arrows go through it, Enter shows a span's details, Escape hides them. */
export function Waterfall({ rows, durationMs, chosen, start, step, onChoose, onToggle }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const [active, setActive] = useState<string>();
  const at = indexOf(rows, active ?? chosen ?? start);
  const { from, to } = useWindow(list, { count: rows.length, rowPx: ROW_PX });
  const rowId = (row: VisibleRow) => `${prefix}-${row.span.spanId}`;

  const show = (index: number): void => scrollTo(list.current, index);
  useEffect(() => {
    const index = indexOf(rows, chosen ?? start);
    if (index > 0) show(index);
    // Once for each span that is asked for, not whenever spans arrive.
  }, [chosen, start, rows.length > 0]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const move = keyMove(event.key, rows, at);
    if (move === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    if (move.kind === "toggle") onToggle(move.row.span.spanId, move.open);
    else if (move.kind === "leave") onChoose(undefined);
    else {
      setActive(move.row.span.spanId);
      show(move.index);
      if (move.kind === "choose" || chosen !== undefined) onChoose(move.row.span.spanId);
    }
  };
  const current = rows[at];
  return (
    <div className="waterfall">
      <TimeAxis durationMs={durationMs} />
      <div
        ref={list}
        className="trace-rows"
        role="tree"
        aria-label="Spans"
        tabIndex={0}
        {...(current !== undefined && at >= from && at < to && { "aria-activedescendant": rowId(current) })}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: from * ROW_PX }} />
        {rows.slice(from, to).map((row, index) => (
          <SpanRowView
            key={row.span.spanId}
            id={rowId(row)}
            row={row}
            totalMs={durationMs}
            isActive={from + index === at}
            isChosen={row.span.spanId === chosen}
            isOfStep={step !== undefined && stepOfSpan(row.span) === step}
            onToggle={() => onToggle(row.span.spanId, !row.isOpen)}
            onChoose={() => {
              setActive(row.span.spanId);
              onChoose(row.span.spanId);
            }}
          />
        ))}
        <div role="presentation" style={{ height: (rows.length - to) * ROW_PX }} />
      </div>
    </div>
  );
}

/** The first row where there is none of that id. */
function indexOf(rows: readonly VisibleRow[], spanId: string | undefined): number {
  return Math.max(
    0,
    rows.findIndex(({ span }) => span.spanId === spanId),
  );
}

function scrollTo(list: HTMLElement | null, index: number): void {
  if (list === null) return;
  const top = index * ROW_PX;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW_PX > list.scrollTop + list.clientHeight)
    list.scrollTop = top + ROW_PX - list.clientHeight;
}
