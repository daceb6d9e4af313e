import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { serviceColour } from "./service-colour.ts";
import { stepOfSpan } from "./step-of-span.ts";
import type { VisibleRow } from "./trace-view.tsx";
import { SPAN_ROW } from "./trace-words.ts";
import styles from "./trace.module.css";

/** Deeper spans are not indented further: there would be no room for their names. */
const DEPTH_SHOWN_MAX = 10;
const INDENT_PX = 13;
/** The drawing's own units; it is stretched to the width there is. */
const UNITS = 1_000;
const UNITS_MIN = 3;
const GRID = [250, 500, 750] as const;

type Props = {
  readonly row: VisibleRow;
  readonly id: string;
  readonly totalMs: number;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  /** It is about the step that is selected on the page. */
  readonly isOfStep: boolean;
  readonly onToggle: () => void;
  readonly onChoose: () => void;
};

/** One span: its name below its parent's, its time as a bar. */
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
      className={styles.spanRow}
      data-colour={serviceColour(span.service)}
      data-active={isActive}
      data-of-step={isOfStep}
      data-context={row.isContext}
      data-testid="span"
      data-service={span.service}
      data-span={span.spanId}
      onClick={props.onChoose}
    >
      <span className={styles.spanName} style={{ paddingLeft: Math.min(depth, DEPTH_SHOWN_MAX) * INDENT_PX }}>
        <Toggle row={row} onToggle={props.onToggle} />
        {failed && (
          <>
            <Icon name="failed" size={13} />
            <span className="visually-hidden">{SPAN_ROW.failed} </span>
          </>
        )}
        <span className={styles.spanLabel} title={span.name}>
          {span.name}
        </span>
        {step !== undefined && <span className={styles.spanStep}>{step}</span>}
        <span className={styles.spanService}>{span.service}</span>
        {!isOpen && row.failedBelow > 0 && (
          <span className={styles.spanBelow}>{SPAN_ROW.failedBelow(row.failedBelow)}</span>
        )}
        {row.isCritical && <span className="visually-hidden">{SPAN_ROW.onTheCriticalPath}</span>}
      </span>
      <Bar row={row} totalMs={props.totalMs} />
      <span className={styles.spanTime}>{formatDuration(durationMs)}</span>
    </div>
  );
}

/** For the mouse; by keyboard the arrows do it. */
function Toggle({ row: { below, isOpen }, onToggle }: { row: VisibleRow; onToggle: () => void }) {
  if (below === 0) return <span className={styles.spanToggle} />;
  return (
    <span
      className={styles.spanToggle}
      data-open={isOpen}
      title={isOpen ? SPAN_ROW.close : SPAN_ROW.open(below)}
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <Icon name="chevron" size={12} />
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
  const width = Math.max(UNITS_MIN, durationMs * scale);
  const x = Math.min(startMs * scale, UNITS - UNITS_MIN);
  return (
    <svg className={styles.spanBar} viewBox={`0 0 ${UNITS} 20`} preserveAspectRatio="none" aria-hidden="true">
      {GRID.map((line) => (
        <line key={line} className={styles.spanGrid} x1={line} x2={line} y1="0" y2="20" />
      ))}
      <rect
        className={span.status === "error" ? styles.spanFailed : undefined}
        x={x}
        y="5"
        width={width}
        height="9"
      />
      {isCritical && <rect className={styles.spanCritical} x={x} y="16" width={width} height="2" />}
    </svg>
  );
}
