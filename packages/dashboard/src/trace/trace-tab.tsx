import "./trace.css";
import { useState } from "react";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { useServices } from "../shell/services.ts";
import { formatDuration } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { useNow } from "../ui/use-now.ts";
import { SpanRowView } from "./span-row.tsx";
import { spanTree } from "./span-tree.ts";
import { TimeAxis } from "./time-axis.tsx";

const ROWS_STEP = 300;
const RELOAD_MS = 2_000;
/** Services export spans some time after they ended. */
const LATE_SPANS_MS = 10_000;

/** Where the plan's time went: one row a span, each below the one that caused it. */
export function TraceTab({ view }: TabProps) {
  const { gateway } = useServices();
  const [shown, setShown] = useState(ROWS_STEP);
  const [openedAt] = useState(() => Date.now());
  const endedAt = view.endedAt === undefined ? undefined : Date.parse(view.endedAt);
  const [settled, setSettled] = useState(false);
  const now = useNow(RELOAD_MS, !settled);
  const late = endedAt !== undefined && now - Math.max(endedAt, openedAt) > LATE_SPANS_MS;
  if (late && !settled) setSettled(true);
  const loaded = useLoaded(view.planId, now, (signal) => gateway.trace(view.planId, signal));

  if (loaded.phase === "failed") return <Problem error={loaded.error} />;
  if (loaded.phase === "loading") return <div className="skeleton tab-loading" />;
  const { rows, durationMs, services } = spanTree(loaded.value.spans);
  if (rows.length === 0) {
    return (
      <Notice icon="clock" title="No spans yet">
        <p>The services send their spans a moment after each piece of work ends.</p>
      </Notice>
    );
  }
  return (
    <div className="trace">
      <p className="trace-legend">
        <span>
          {rows.length} spans, {formatDuration(durationMs)}
        </span>
        {services.map((service, index) => (
          <span key={service} className={`service-${(index % 5) + 1}`}>
            {service}
          </span>
        ))}
      </p>
      <TimeAxis durationMs={durationMs} />
      <ol className="trace-rows">
        {rows.slice(0, shown).map((row) => (
          <SpanRowView
            key={row.span.spanId}
            row={row}
            totalMs={durationMs}
            colour={(services.indexOf(row.span.service) % 5) + 1}
          />
        ))}
      </ol>
      {rows.length > shown && (
        <button type="button" className="button button-quiet" onClick={() => setShown(shown + ROWS_STEP)}>
          Show more spans
        </button>
      )}
    </div>
  );
}
