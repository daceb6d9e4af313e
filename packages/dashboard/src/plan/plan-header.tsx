import { strategyName } from "@planwright/plan/strategy-name";
import type { PlanView } from "../api/api-types.ts";
import { usePlanNow } from "../clock/plan-clock.ts";
import { CompareLink, CompareWithOriginLink } from "../compare/compare-link.tsx";
import { RerunButtons } from "../rerun/rerun-buttons.tsx";
import { Link } from "../router/link.tsx";
import { ViewerLink } from "../trace/viewer-link.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatDateTime, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { PlanStatusBadge } from "../ui/status-badge.tsx";
import { BudgetMeter } from "./budget-meter.tsx";
import { useMay } from "../sign-in/caller.ts";
import { CancelButton } from "./cancel-button.tsx";
import { DeleteButton } from "./delete-button.tsx";
import { PauseButton } from "./pause-button.tsx";
import { PlanProgress } from "./plan-progress.tsx";
import { PlanTrail } from "./plan-trail.tsx";
import { PlanWaits } from "./plan-waits.tsx";

type Props = {
  readonly view: PlanView;
  /** It is shown as it was: nothing can be done to it. */
  readonly isPast: boolean;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
};

/** What was asked, how far it is, and what it is called elsewhere. */
export function PlanHeader({ view, isPast, onChanged, onHistory }: Props) {
  const open = !view.ended;
  const may = useMay();
  const nowMs = usePlanNow();
  const elapsedMs = Math.max(0, nowMs - Date.parse(view.submittedAt));
  return (
    <header className="plan-header">
      <Link className="plan-back" href="/">
        <Icon name="back" size={14} />
        All plans
      </Link>
      <PlanTrail view={view} />
      <div className="plan-title">
        <h1 className="plan-goal" title={view.goal.length > 200 ? view.goal : undefined}>
          {view.goal}
        </h1>
        {!isPast && (
          <div className="plan-controls">
            <button type="button" className="button" onClick={onHistory}>
              History
            </button>
            <CompareLink view={view} />
            {!open && may("rerunPlan") && <RerunButtons key={view.planId} planId={view.planId} />}
            {!open && view.parent === undefined && may("deletePlan") && (
              <DeleteButton key={`delete ${view.planId}`} planId={view.planId} />
            )}
            {open && may("pausePlan") && <PauseButton view={view} onDone={onChanged} />}
            {open && may("cancelPlan") && <CancelButton planId={view.planId} onCancelled={onChanged} />}
          </div>
        )}
      </div>
      <div className="plan-facts">
        <PlanStatusBadge status={view.status} answer={view.answer?.status} />
        <span title={`Submitted ${formatDateTime(view.submittedAt)}`}>
          <Icon name="clock" size={14} /> {formatDuration(elapsedMs)}
        </span>
        <span>{strategyName(view.strategy)}</span>
        <CompareWithOriginLink view={view} />
        {view.revision > 0 && <span>revision {view.revision}</span>}
        <span className="plan-id">
          <span className="plan-id-name">plan</span>
          <code>{view.planId}</code>
          <CopyButton text={view.planId} label="Copy plan id" />
        </span>
        <span className="plan-id">
          <span className="plan-id-name">trace</span>
          <code data-testid="trace-id">{view.traceId}</code>
          <CopyButton text={view.traceId} label="Copy trace id" />
          <ViewerLink traceId={view.traceId} />
        </span>
      </div>
      <PlanProgress view={view} />
      <BudgetMeter view={view} elapsedMs={elapsedMs} />
      <PlanWaits view={view} nowMs={nowMs} />
      {view.status !== "succeeded" && view.reason !== undefined && (
        <p className="plan-reason">{view.reason}</p>
      )}
    </header>
  );
}
