import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { formatDuration } from "../ui/format.ts";
import { revealRow, useRowWindow } from "../ui/use-row-window.ts";
import { SpanRowView } from "./span-row.tsx";
import { stepOfSpan } from "./step-of-span.ts";
import { WATERFALL } from "./trace-words.ts";
import type { VisibleRow } from "./trace-view.tsx";

/** Number of rows that Page Up and Page Down move by. */
const PAGE = 15;

const ROW_PX = 26;

type Props = {
  readonly rows: readonly VisibleRow[];
  readonly durationMs: number;
  /** The span whose details are shown. */
  readonly chosen: string | undefined;
  /** The span where the reader starts. */
  readonly start: string | undefined;
  readonly step: string | undefined;
  readonly onChoose: (spanId: string | undefined) => void;
  readonly onToggle: (spanId: string, open: boolean) => void;
};

/** The spans as a tree over time. Arrow keys move through it, Enter shows a span's details, Escape hides them. */
export function Waterfall({ rows, durationMs, chosen, start, step, onChoose, onToggle }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const prefix = useId();
  const [active, setActive] = useState<string>();
  const at = indexOf(rows, active ?? chosen ?? start);
  const { first, last } = useRowWindow(list, { count: rows.length, rowPx: ROW_PX });
  const rowId = (row: VisibleRow) => `${prefix}-${row.span.spanId}`;

  const show = (index: number): void => revealRow(list.current, index, { rowPx: ROW_PX });
  useEffect(() => {
    const index = indexOf(rows, chosen ?? start);
    if (index > 0) show(index);
    // Once per requested span, not whenever spans arrive.
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
    <div className="min-w-0 [--name:min(42%,420px)] [--pad:16px] [--time:76px] @max-[700px]:[--name:50%] @max-[700px]:[--pad:10px] @max-[700px]:[--time:64px] @max-[500px]:[--name:54%] @max-[500px]:[--time:60px]">
      <TimeAxis durationMs={durationMs} />
      <div
        ref={list}
        className="max-h-[min(72vh,900px)] overflow-x-hidden overflow-y-auto focus-visible:-outline-offset-2"
        role="tree"
        aria-label={WATERFALL.spans}
        tabIndex={0}
        {...(current !== undefined &&
          at >= first &&
          at < last && { "aria-activedescendant": rowId(current) })}
        onKeyDown={onKeyDown}
      >
        <div role="presentation" style={{ height: first * ROW_PX }} />
        {rows.slice(first, last).map((row, index) => (
          <SpanRowView
            key={row.span.spanId}
            id={rowId(row)}
            row={row}
            totalMs={durationMs}
            isActive={first + index === at}
            isChosen={row.span.spanId === chosen}
            isOfStep={step !== undefined && stepOfSpan(row.span) === step}
            onToggle={() => onToggle(row.span.spanId, !row.isOpen)}
            onChoose={() => {
              setActive(row.span.spanId);
              onChoose(row.span.spanId);
            }}
          />
        ))}
        <div role="presentation" style={{ height: (rows.length - last) * ROW_PX }} />
      </div>
    </div>
  );
}

/** The row's index; the first row if the id does not exist. */
function indexOf(rows: readonly VisibleRow[], spanId: string | undefined): number {
  return Math.max(
    0,
    rows.findIndex(({ span }) => span.spanId === spanId),
  );
}

const TICKS = [0, 0.25, 0.5, 0.75, 1] as const;

function TimeAxis({ durationMs }: { durationMs: number }) {
  return (
    <div
      className="relative mr-[calc(var(--time)+var(--pad))] ml-[calc(var(--name)+var(--pad))] h-5 text-2xs text-faint"
      aria-hidden="true"
    >
      {TICKS.map((share) => (
        <span
          key={share}
          className="absolute -translate-x-1/2 whitespace-nowrap first:translate-x-0 last:-translate-x-full @max-[700px]:even:hidden @max-[500px]:nth-3:hidden"
          style={{ left: `${share * 100}%` }}
        >
          {share === 0 ? "0" : formatDuration(durationMs * share)}
        </span>
      ))}
    </div>
  );
}

/** The effect of a key in the tree of spans, as in any tree: https://www.w3.org/WAI/ARIA/apg/patterns/treeview/ */
type KeyMove =
  | { readonly kind: "go" | "choose"; readonly index: number; readonly row: VisibleRow }
  | { readonly kind: "toggle"; readonly row: VisibleRow; readonly open: boolean }
  | { readonly kind: "leave" };

/** Undefined when the key does nothing here. */
export function keyMove(key: string, rows: readonly VisibleRow[], at: number): KeyMove | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  switch (key) {
    case "ArrowDown":
      return go(rows, at + 1);
    case "ArrowUp":
      return go(rows, at - 1);
    case "PageDown":
      return go(rows, at + PAGE);
    case "PageUp":
      return go(rows, at - PAGE);
    case "Home":
      return go(rows, 0);
    case "End":
      return go(rows, rows.length - 1);
    case "ArrowRight":
      if (row.below === 0) return undefined;
      return row.isOpen ? go(rows, at + 1) : { kind: "toggle", row, open: true };
    case "ArrowLeft":
      return row.isOpen ? { kind: "toggle", row, open: false } : go(rows, parentOf(rows, at));
    case "Enter":
    case " ":
      return { kind: "choose", index: at, row };
    case "Escape":
      return { kind: "leave" };
    default:
      return undefined;
  }
}

function go(rows: readonly VisibleRow[], wanted: number): KeyMove | undefined {
  const index = Math.max(0, Math.min(rows.length - 1, wanted));
  const row = rows[index];
  return row === undefined ? undefined : { kind: "go", index, row };
}

function parentOf(rows: readonly VisibleRow[], at: number): number {
  const depth = rows[at]?.depth ?? 0;
  return rows.slice(0, at).findLastIndex((row) => row.depth < depth);
}
