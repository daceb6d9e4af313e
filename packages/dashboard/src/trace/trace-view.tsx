import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import type { PlanView, TraceData } from "../api/api-types.ts";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { useSearchField } from "../router/use-route.ts";
import { formatCount, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { Chip } from "./chip.tsx";
import { serviceColour } from "./service-colour.ts";
import { SpanDetails } from "./span-details.tsx";
import { spanTree, type SpanTree, type SpanRow } from "./span-tree.ts";
import { spanOfStep } from "./step-of-span.ts";
import { TRACE_FILTER, TRACE_SUMMARY, TRACE_VIEW } from "./trace-words.ts";
import { ViewerLink } from "./viewer-link.tsx";
import { Waterfall } from "./waterfall.tsx";

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
    <div className="@container py-3">
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
        <p key={sentence} className="px-4 pb-2 text-sm text-warn">
          {sentence}
        </p>
      ))}
      <div className={row && "@min-[980px]:grid @min-[980px]:grid-cols-[minmax(0,1fr)_380px]"}>
        {shown.rows.length === 0 ? (
          <p className="px-4 py-6 text-faint">{TRACE_VIEW.noMatchingSpans}</p>
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
  /** The text about how many spans are shown. */
  readonly children: ReactNode;
};

/** The size of the trace, and actions on all of it. */
function TraceSummary({ traceId, isAllOpen, onOpenAll, onCloseAll, children }: TraceSummaryProps) {
  return (
    <p className="flex flex-wrap items-center gap-x-3.5 gap-y-1 px-4 pb-2 text-sm text-soft">
      <span role="status">{children}</span>
      <span>{TRACE_SUMMARY.criticalPath}</span>
      <Chip onClick={onOpenAll} disabled={isAllOpen}>
        {TRACE_SUMMARY.openAll}
      </Chip>
      <Chip onClick={onCloseAll}>{TRACE_SUMMARY.closeAll}</Chip>
      <ViewerLink traceId={traceId} />
    </p>
  );
}

type TraceFilterProps = {
  readonly filter: RowFilter;
  readonly services: readonly string[];
  readonly failed: number;
  readonly onFilter: (filter: RowFilter) => void;
};

/** The search for spans; its services are also the legend of the colours. */
function TraceFilter({ filter, services, failed, onFilter }: TraceFilterProps) {
  return (
    <div
      className="flex flex-wrap items-center gap-x-2 gap-y-1.5 px-4 pb-2"
      role="search"
      aria-label={TRACE_FILTER.spans}
    >
      <input
        type="search"
        className="field min-h-8 basis-60"
        aria-label={TRACE_FILTER.searchSpans}
        placeholder={TRACE_FILTER.placeholder}
        value={filter.text}
        onChange={(event) => onFilter({ ...filter, text: event.target.value })}
      />
      <Chip
        aria-pressed={filter.errorsOnly}
        disabled={failed === 0 && !filter.errorsOnly}
        onClick={() => onFilter({ ...filter, errorsOnly: !filter.errorsOnly })}
      >
        <Icon name="failed" size={13} /> {TRACE_FILTER.failed(failed)}
      </Chip>
      {services.map((service) => (
        <Chip
          key={service}
          className={serviceColour(service)}
          aria-pressed={filter.service === service}
          onClick={() => onFilter({ ...filter, service: filter.service === service ? undefined : service })}
        >
          <span className="mr-1.5 inline-block size-2.5 rounded-sm bg-(--service)" />
          {service}
        </Chip>
      ))}
    </div>
  );
}

/** Determines the visible rows of a trace: matches of the search, and their ancestors. */
export type RowFilter = {
  /** Matches a span's name, service, status or attributes; ignores case. */
  readonly text: string;
  readonly errorsOnly: boolean;
  readonly service: string | undefined;
};

export const NO_FILTER: RowFilter = { text: "", errorsOnly: false, service: undefined };

export type VisibleRow = SpanRow & {
  readonly isOpen: boolean;
  /** Shown only because a descendant matches. */
  readonly isContext: boolean;
};

/** A closed row hides its descendants, unless there is a search. */
export function visibleRows(
  rows: readonly SpanRow[],
  { closed, filter }: { readonly closed: ReadonlySet<string>; readonly filter: RowFilter },
): { readonly rows: readonly VisibleRow[]; readonly matches: number } {
  if (!isFiltering(filter)) return { rows: openRows(rows, closed), matches: rows.length };
  const fits = matcherOf(filter);
  const shown: VisibleRow[] = [];
  let matches = 0;
  // From the end: a match's ancestors come before it, and are less deep.
  let wantedDepth = 0;
  for (const row of rows.toReversed()) {
    const isMatch = fits(row);
    const leads = wantedDepth > row.depth;
    if (isMatch) matches += 1;
    if (isMatch || leads) {
      shown.push({ ...row, isOpen: row.below > 0, isContext: !isMatch });
      wantedDepth = row.depth;
    }
  }
  return { rows: shown.toReversed(), matches };
}

export function isFiltering({ text, errorsOnly, service }: RowFilter): boolean {
  return text.trim() !== "" || errorsOnly || service !== undefined;
}

function openRows(rows: readonly SpanRow[], closed: ReadonlySet<string>): VisibleRow[] {
  const shown: VisibleRow[] = [];
  for (let index = 0; index < rows.length; index += 1) {
    const row = rows[index];
    if (row === undefined) break;
    const isOpen = row.below > 0 && !closed.has(row.span.spanId);
    shown.push({ ...row, isOpen, isContext: false });
    if (!isOpen) index += row.below;
  }
  return shown;
}

function matcherOf({ text, errorsOnly, service }: RowFilter): (row: SpanRow) => boolean {
  const wanted = text.trim().toLowerCase();
  return ({ span }) =>
    (!errorsOnly || span.status === "error") &&
    (service === undefined || span.service === service) &&
    (wanted === "" || textOf(span).includes(wanted));
}

function textOf({ name, service, spanId, statusMessage = "", attributes }: SpanRow["span"]): string {
  return `${name}\n${service}\n${spanId}\n${statusMessage}\n${JSON.stringify(attributes)}`.toLowerCase();
}
