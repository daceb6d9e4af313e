import clsx from "clsx";
import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { serviceColour } from "./service-colour.ts";
import { stepOfSpan } from "./step-of-span.ts";
import type { VisibleRow } from "./trace-view.tsx";
import { SPAN_ROW } from "./trace-words.ts";

/** Deeper spans are not indented further: their names would have no room. */
const DEPTH_SHOWN_MAX = 10;
const INDENT_PX = 13;
/** The drawing's own units; it is stretched to the available width. */
const UNITS = 1_000;
const UNITS_MIN = 3;
const GRID = [250, 500, 750] as const;

const ROW =
  "grid h-6.5 cursor-pointer grid-cols-[var(--name)_minmax(0,1fr)_var(--time)] items-center px-(--pad) text-sm -outline-offset-2 outline-accent hover:bg-sunken in-focus-visible:data-[active=true]:outline-2 aria-selected:bg-accent-soft data-[context=true]:opacity-60 data-[of-step=true]:shadow-[inset_3px_0_var(--accent)] @max-[700px]:text-xs";

type Props = {
  readonly row: VisibleRow;
  readonly id: string;
  readonly totalMs: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  /** It belongs to the step that is selected on the page. */
  readonly isOfStep: boolean;
  readonly onToggle: () => void;
  readonly onChoose: () => void;
};

/** One span: its name, indented below its parent's, and its time as a bar. */
export function SpanRowView({ row, id, isActive, isChosen, isOfStep, ...props }: Props) {
  const { span, depth, durationMs, below, isOpen } = row;
  const failed = span.status === "error";
  const step = stepOfSpan(span);
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isChosen}
      {...(below > 0 && { "aria-expanded": isOpen })}
      className={clsx(serviceColour(span.service), ROW)}
      data-active={isActive}
      data-of-step={isOfStep}
      data-context={row.isContext}
      data-testid="span"
      data-service={span.service}
      data-span={span.spanId}
      onClick={props.onChoose}
    >
      <span
        className="flex items-center gap-1 overflow-hidden pr-2.5 whitespace-nowrap"
        style={{ paddingLeft: Math.min(depth, DEPTH_SHOWN_MAX) * INDENT_PX }}
      >
        <Toggle row={row} onToggle={props.onToggle} />
        {failed && (
          <>
            <Icon className="flex-none text-bad" name="failed" size={13} />
            <span className="visually-hidden">{SPAN_ROW.failed} </span>
          </>
        )}
        <span className="truncate" title={span.name}>
          {span.name}
        </span>
        {step !== undefined && (
          <span className="min-w-[2ch] shrink-100 truncate font-mono text-xs text-soft">{step}</span>
        )}
        {/* In little room only its colour is visible; screen readers still get its name. */}
        <span className="max-w-[12ch] flex-none truncate border-l-3 border-(--service) pl-1.25 text-xs text-faint @max-[700px]:w-0 @max-[700px]:p-0">
          {span.service}
        </span>
        {!isOpen && row.failedBelow > 0 && (
          <span className="flex-none text-xs text-bad">{SPAN_ROW.failedBelow(row.failedBelow)}</span>
        )}
        {row.isCritical && <span className="visually-hidden">{SPAN_ROW.onTheCriticalPath}</span>}
      </span>
      <Bar row={row} totalMs={props.totalMs} />
      <span className="text-right text-soft tabular-nums">{formatDuration(durationMs)}</span>
    </div>
  );
}

/** For the mouse; the keyboard uses the arrow keys. */
function Toggle({ row: { below, isOpen }, onToggle }: { row: VisibleRow; onToggle: () => void }) {
  if (below === 0) return <span className="w-4 flex-none" />;
  return (
    <span
      className="inline-grid h-5 w-4 flex-none place-items-center text-faint"
      title={isOpen ? SPAN_ROW.close : SPAN_ROW.open(below)}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon className={isOpen ? "rotate-90" : ""} name="chevron" size={12} />
    </span>
  );
}

function Bar({
  row: { startMs, durationMs, span, isCritical },
  totalMs,
}: {
  row: VisibleRow;
  totalMs: number;
}) {
  const scale = totalMs === 0 ? 0 : UNITS / totalMs;
  const failed = span.status === "error";
  const width = Math.max(UNITS_MIN, durationMs * scale);
  const x = Math.min(startMs * scale, UNITS - UNITS_MIN);
  return (
    <svg className="h-6 w-full" viewBox={`0 0 ${UNITS} 20`} preserveAspectRatio="none" aria-hidden="true">
      {GRID.map((line) => (
        <line
          key={line}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
          x1={line}
          x2={line}
          y1="0"
          y2="20"
        />
      ))}
      <rect className={failed ? "fill-bad" : "fill-(--service)"} x={x} y="5" width={width} height="9" />
      {isCritical && <rect className="fill-critical" x={x} y="16" width={width} height="2" />}
    </svg>
  );
}
