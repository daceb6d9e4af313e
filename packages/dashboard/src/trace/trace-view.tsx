import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import type { PlanView, TraceData } from "../api/api-types.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { useSearchField } from "../router/use-route.ts";
import { formatCount, formatDuration } from "../ui/format.ts";
import { SpanDetails } from "./span-details.tsx";
import { spanTree, type SpanTree } from "./span-tree.ts";
import { spanOfStep } from "./step-of-span.ts";
import { TraceFilter } from "./trace-filter.tsx";
import { isFiltering, NO_FILTER, visibleRows } from "./visible-rows.ts";
import { Waterfall } from "./waterfall.tsx";
import { TRACE_SUMMARY, TRACE_VIEW } from "./trace-words.ts";
import { ViewerLink } from "./viewer-link.tsx";
import styles from "./trace.module.css";

type Props = TabProps & { readonly trace: TraceData; readonly missing: readonly string[] };

/** A trace that has spans: the filter, the waterfall and the selected span. */
export function TraceView({ trace, missing, view, selected, onSelectStep }: Props) {
  const [chosen, choose] = useSearchField("span");
  const [filter, setFilter] = useState(NO_FILTER);
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const wanted = useDeferredValue(filter);
  const { rows, durationMs, services } = useSpanTree(trace, view);
  const shown = useMemo(() => visibleRows(rows, { closed, filter: wanted }), [rows, closed, wanted]);
  const row = rows.find(({ span }) => span.spanId === chosen);
  const ofStep =
    selected === undefined ? undefined : spanOfStep(rows, { planId: view.planId, stepId: selected });
  const failed = rows.filter(({ span }) => span.status === "error").length;
  const toggle = (spanId: string, open: boolean): void => {
    const next = new Set(closed);
    if (open) next.delete(spanId);
    else next.add(spanId);
    setClosed(next);
  };
  const openAll = (): void => setClosed(new Set());
  const closeAll = (): void =>
    setClosed(
      new Set(rows.flatMap(({ span, below, depth }) => (below > 0 && depth > 0 ? [span.spanId] : []))),
    );
  return (
    <div className={styles.trace}>
      <TraceFilter filter={filter} services={services} failed={failed} onFilter={setFilter} />
      <TraceSummary
        traceId={trace.traceId}
        isAllOpen={closed.size === 0}
        onOpenAll={openAll}
        onCloseAll={closeAll}
      >
        {isFiltering(wanted)
          ? TRACE_VIEW.of(shown.matches, formatCount(rows.length, "span"))
          : TRACE_VIEW.in(formatCount(rows.length, "span"), formatDuration(durationMs))}
      </TraceSummary>
      {missing.map((sentence) => (
        <p key={sentence} className={styles.traceMissing}>
          {sentence}
        </p>
      ))}
      <div className={styles.traceParts}>
        {shown.rows.length === 0 ? (
          <p className={`${styles.muted} ${styles.traceNone}`}>{TRACE_VIEW.noMatchingSpans}</p>
        ) : (
          <Waterfall
            rows={shown.rows}
            durationMs={durationMs}
            chosen={row?.span.spanId}
            start={ofStep?.span.spanId}
            step={selected}
            onChoose={choose}
            onToggle={toggle}
          />
        )}
        {row !== undefined && (
          <SpanDetails
            key={row.span.spanId}
            row={row}
            rows={rows}
            planId={view.planId}
            onChoose={choose}
            onSelectStep={onSelectStep}
          />
        )}
      </div>
    </div>
  );
}

function useSpanTree({ spans }: TraceData, { planId, criticalPath: { stepIds } }: PlanView): SpanTree {
  return useMemo(() => spanTree(spans, { planId, stepIds }), [spans, planId, stepIds]);
}

type TraceSummaryProps = {
  readonly traceId: string;
  readonly isAllOpen: boolean;
  readonly onOpenAll: () => void;
  readonly onCloseAll: () => void;
  /** How much is shown. */
  readonly children: ReactNode;
};

/** How much there is, and what can be done with all of it. */
function TraceSummary({ traceId, isAllOpen, onOpenAll, onCloseAll, children }: TraceSummaryProps) {
  return (
    <p className={styles.traceSummary}>
      <span role="status">{children}</span>
      <span>{TRACE_SUMMARY.criticalPath}</span>
      <button type="button" className="chip" onClick={onOpenAll} disabled={isAllOpen}>
        {TRACE_SUMMARY.openAll}
      </button>
      <button type="button" className="chip" onClick={onCloseAll}>
        {TRACE_SUMMARY.closeAll}
      </button>
      <ViewerLink traceId={traceId} />
    </p>
  );
}
