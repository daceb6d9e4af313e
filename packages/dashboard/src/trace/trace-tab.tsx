import { useState } from "react";
import type { TabProps } from "../plan/plan-tabs.tsx";
import { useServices, useSystemInfo } from "../shell/services.ts";
import { docsHref } from "../ui/docs-href.ts";
import { Notice } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { useChanges } from "../ui/use-changes.ts";
import { useLoaded } from "../ui/use-loaded.ts";
import { TraceView } from "./trace-view.tsx";
import { whatIsMissing, whyEmpty, TRACE_TAB } from "./trace-words.ts";
import { ViewerLink } from "./viewer-link.tsx";

/** Minimum time between two reads, while much changes. */
const RELOAD_MS = 1_000;
/** A long trace has megabytes. */
const RELOAD_LONG_MS = 10_000;
const LONG_SPANS = 2_000;
/** Services export spans some time after they ended. */
const LATE_SPANS_MS = [1_000, 3_000, 10_000] as const;

/** The plan's trace: one row per span, each below its parent. Read again as the plan changes. */
export function TraceTab(props: TabProps) {
  const { view } = props;
  const { gateway } = useServices();
  const traces = useSystemInfo()?.traces;
  const [isLong, setIsLong] = useState(false);
  const { version, isQuiet } = useChanges(view.seq, LATE_SPANS_MS);
  const settled = isQuiet && view.ended;
  const loaded = useLoaded(view.planId, version, (signal) => gateway.trace(view.planId, signal), {
    reloadMs: isLong ? RELOAD_LONG_MS : RELOAD_MS,
    insists: true,
  });

  if (loaded.phase === "failed") return <Problem error={loaded.error} again={loaded.again} />;
  if (loaded.phase === "loading")
    return <div className="skeleton tab-loading" role="status" aria-label={TRACE_TAB.loadingTrace} />;
  const { value: trace } = loaded;
  if (trace.spans.length > LONG_SPANS && !isLong) setIsLong(true);
  const facts = { trace, view, traces };
  if (trace.spans.length > 0) return <TraceView {...props} trace={trace} missing={whatIsMissing(facts)} />;
  const { title, text } = whyEmpty({ ...facts, settled });
  return (
    <Notice icon="clock" title={title}>
      <p>{text}</p>
      <ViewerLink className="button" traceId={trace.traceId} />
      {traces?.url === undefined && <a href={docsHref("traces")}>{TRACE_TAB.aboutTraces}</a>}
    </Notice>
  );
}
