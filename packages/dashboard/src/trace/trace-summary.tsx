import type { ReactNode } from "react";
import { ViewerLink } from "./viewer-link.tsx";
import { TRACE_SUMMARY } from "./trace-words.ts";
import styles from "./trace.module.css";

type Props = {
  readonly traceId: string;
  readonly isAllOpen: boolean;
  readonly onOpenAll: () => void;
  readonly onCloseAll: () => void;
  /** How much is shown. */
  readonly children: ReactNode;
};

/** How much there is, and what can be done with all of it. */
export function TraceSummary({ traceId, isAllOpen, onOpenAll, onCloseAll, children }: Props) {
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
