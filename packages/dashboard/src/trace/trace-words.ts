/** The texts of the Trace tab, including why a trace has no spans and which spans are missing. */
import type { PlanView, SystemInfo, TraceData } from "../api/api-types.ts";

export type Told = { readonly title: string; readonly text: string };

type Facts = {
  readonly trace: Omit<TraceData, "spans">;
  readonly view: Pick<PlanView, "submittedAt" | "endedAt">;
  readonly traces: SystemInfo["traces"] | undefined;
  /** Whether no more spans are expected. */
  readonly settled: boolean;
};

/** Why there are no spans. */
export function whyEmpty({ trace, view, traces, settled }: Facts): Told {
  if (traces?.to === "endpoint") {
    return {
      title: "Traces are exported elsewhere",
      text: `Spans are sent to ${traces.endpoint ?? "another receiver"}. Set PLANWRIGHT_TRACES=both to see them here too.`,
    };
  }
  if (!trace.sampled) {
    return {
      title: "This plan was not sampled",
      text: "Under high load, only a sample of plans is traced. For all other plans, only failures are recorded, and this plan had none.",
    };
  }
  if (trace.evicted) {
    return {
      title: "Spans of this plan were evicted",
      text: "The gateway keeps the most recent spans and evicted these to make room.",
    };
  }
  if (view.endedAt !== undefined && view.endedAt < trace.keptSince) {
    return {
      title: "Spans of this plan were evicted",
      text: "The gateway keeps spans in memory and has restarted since this plan finished.",
    };
  }
  if (settled) {
    return {
      title: "No spans received",
      text: "The plan has finished, but no service sent its spans to this gateway.",
    };
  }
  return {
    title: "No spans yet",
    text: "Spans arrive shortly after each operation ends.",
  };
}

/** Which spans are missing from a trace that has some, one sentence for each reason. */
export function whatIsMissing({ trace, view, traces }: Omit<Facts, "settled">): string[] {
  const { sampled, evicted, dropped, keptSince } = trace;
  return [
    ...(sampled ? [] : ["This plan was not sampled: only failures were recorded."]),
    ...(evicted ? ["Earlier spans were evicted to make room."] : []),
    ...(dropped > 0
      ? [`${dropped.toLocaleString("en")} spans exceeded the limit per trace and were dropped.`]
      : []),
    ...(view.submittedAt < keptSince
      ? ["The gateway restarted after this plan began: earlier spans are missing."]
      : []),
    ...(traces?.to === "endpoint"
      ? [`Spans are exported to ${traces.endpoint ?? "another receiver"} now.`]
      : []),
  ];
}

export const ATTRIBUTE_TABLE = {
  none: "None.",
  moreCharacters: (value: string | number) => ` … ${value} more characters`,
  more: (value: string | number) => `… ${value} more`,
} as const;

export const SPAN_DETAILS = {
  span: (name: string | number) => `Span ${name}`,
  closeSpan: "Close span",
  failed: "Failed",
  spanId: "Span ID",
  copySpanId: "Copy span ID",
  attributes: "Attributes",
  of: "Of",
  anotherPlan: "another plan",
  step: ", step",
  ofStep: "Of step",
  droppedBySender: "Dropped by the sender:",
  service: "Service",
  kind: "Kind",
  started: "Started",
  duration: "Duration",
  selfTime: "Self time",
  allSelf: "same as duration",
  criticalPath: "Critical path",
} as const;

export const SPAN_EVENTS = {
  events: "Events",
  stack: "Stack",
} as const;

export const SPAN_LINKS = {
  linkedTo: "Linked to",
  span: "span",
  notReceived: " (not received)",
  ofAnotherTrace: " of another trace",
  ofAnotherPlan: "of another plan",
} as const;

export const SPAN_ROW = {
  failed: "failed:",
  failedBelow: (failedBelow: string | number) => `${failedBelow} failed`,
  onTheCriticalPath: ", on the critical path",
  close: "Close",
  open: (below: string | number) => `Open (${below} child spans)`,
} as const;

export const TRACE_FILTER = {
  spans: "Spans",
  searchSpans: "Search spans",
  placeholder: "Name, service, attribute",
  failed: (failed: string | number) => `Failed: ${failed}`,
} as const;

export const TRACE_SUMMARY = {
  criticalPath: "Underlined: the critical path",
  openAll: "Open all",
  closeAll: "Close all",
} as const;

export const TRACE_TAB = {
  loadingTrace: "Loading trace",
  aboutTraces: "About traces",
} as const;

export const TRACE_VIEW = {
  of: (matches: string | number, rows: string | number) => `${matches} of ${rows}`,
  in: (rows: string | number, durationMs: string | number) => `${rows} in ${durationMs}`,
  noMatchingSpans: "No matching spans.",
} as const;

export const VIEWER_LINK = {
  openIn: (name: string | number) => `Open in ${name}`,
} as const;

export const WATERFALL = {
  spans: "Spans",
} as const;
