import { useState } from "react";
import type { Json } from "../api/api-types.ts";
import { formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { JsonView } from "../values/json-view.tsx";
import type { SpanRow } from "./span-tree.ts";

/** Deeper spans are not indented further: there would be no room for their names. */
const DEPTH_SHOWN_MAX = 8;
/** The drawing's own units; it is stretched to the width there is. */
const UNITS = 1_000;
const UNITS_MIN = 3;

export function SpanRowView({ row, totalMs, colour }: { row: SpanRow; totalMs: number; colour: number }) {
  const [open, setOpen] = useState(false);
  const { span, depth, startMs, durationMs } = row;
  const scale = totalMs === 0 ? 0 : UNITS / totalMs;
  const width = Math.max(UNITS_MIN, durationMs * scale);
  const failed = span.status === "error";
  return (
    <li className={`service-${colour}`} data-testid="span" data-service={span.service}>
      <button type="button" className="span-row" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span
          className="span-name"
          style={{ paddingLeft: `${Math.min(depth, DEPTH_SHOWN_MAX) * 12}px` }}
          title={span.name}
        >
          {failed && (
            <>
              <Icon name="failed" size={13} />
              <span className="visually-hidden">failed: </span>
            </>
          )}
          {span.name}
          <span className="span-service">{span.service}</span>
        </span>
        <svg className="span-bar" viewBox={`0 0 ${UNITS} 20`} preserveAspectRatio="none" aria-hidden="true">
          {[250, 500, 750].map((x) => (
            <line key={x} className="span-grid" x1={x} x2={x} y1="0" y2="20" />
          ))}
          <rect
            className={failed ? "span-failed" : undefined}
            x={Math.min(startMs * scale, UNITS - UNITS_MIN)}
            y="4"
            width={width}
            height="12"
            rx="2"
          />
        </svg>
        <span className="span-time">{formatDuration(durationMs)}</span>
      </button>
      {open && (
        <div className="span-attributes">
          {/* Attributes came as JSON; the type of a span leaves their values open. */}
          <JsonView
            value={{
              kind: span.kind,
              start: `+${formatDuration(startMs)}`,
              ...(span.attributes as Record<string, Json>),
            }}
          />
        </div>
      )}
    </li>
  );
}
