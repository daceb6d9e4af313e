/** A plan inside a step: live, with its steps, and the plans inside of these. */
import { useState } from "react";
import type { PlanView, StepView } from "../api/api-types.ts";
import { PlanClockContext, usePlanClock } from "../clock/plan-clock.ts";
import type { ServerClock } from "../clock/server-clock.ts";
import { useLivePlan } from "../live/use-live-plan.ts";
import { Link } from "../router/link.tsx";
import { Problem } from "../ui/problem.tsx";
import { PlanStatusBadge, StepStatusBadge } from "../ui/status-badge.tsx";
import { StepTime } from "./step-time.tsx";
import { PlanProgress } from "../plan-header/plan-progress.tsx";
import { Loading } from "../ui/notice.tsx";
import { SUB_PLAN } from "./step-words.ts";
import styles from "./sub-plan.module.css";

/** As deep as plans go below one another. */
const DEPTH_MAX = 3;
const STEPS_SHOWN = 50;

export function SubPlan({ planId, depth }: { planId: string; depth: number }) {
  const { state, clock, reload } = useLivePlan(planId);
  if (state.phase === "failed") return <Problem error={state.error} again={reload} />;
  if (state.phase === "loading")
    return <Loading className={styles.subPlanLoading} what={SUB_PLAN.loadingSubPlan} />;
  return <LiveSubPlan view={state.view} server={clock} depth={depth} />;
}

type LiveProps = { readonly view: PlanView; readonly server: ServerClock; readonly depth: number };

function LiveSubPlan({ view, server, depth }: LiveProps) {
  const { planId } = view;
  const clock = usePlanClock(view, { server, isPast: false });
  return (
    <PlanClockContext value={clock}>
      <div className={styles.subPlan} data-testid="sub-plan" data-plan={planId}>
        <p className={styles.subPlanHead}>
          <PlanStatusBadge status={view.status} answer={view.answer?.status} />
          <Link href={`/plans/${planId}`}>{view.goal}</Link>
        </p>
        <PlanProgress view={view} />
        <ul className={styles.subSteps}>
          {view.steps.slice(0, STEPS_SHOWN).map((step) => (
            <SubStep key={step.id} planId={planId} step={step} depth={depth} />
          ))}
          {view.steps.length > STEPS_SHOWN && (
            <li>{SUB_PLAN.andMoreSteps(view.steps.length - STEPS_SHOWN)}</li>
          )}
        </ul>
      </div>
    </PlanClockContext>
  );
}

function SubStep({ planId, step, depth }: { planId: string; step: StepView; depth: number }) {
  const [open, setOpen] = useState(false);
  const children = [step.child, ...(step.items ?? []).map((item) => item.child)].filter(
    (child) => child !== undefined,
  );
  const link = (
    <Link href={`/plans/${planId}?step=${encodeURIComponent(step.id)}`} title={step.description}>
      <code>{step.id}</code> {step.description}
    </Link>
  );
  return (
    <li>
      <StepStatusBadge step={step} plain />
      {link} <StepTime step={step} />
      {children.length > 0 && depth < DEPTH_MAX && (
        <details className={styles.subPlanMore} onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
          <summary>
            {children.length === 1 ? SUB_PLAN.itsSubPlan : SUB_PLAN.itsSubPlans(children.length)}
          </summary>
          {open && children.map((child) => <SubPlan key={child} planId={child} depth={depth + 1} />)}
        </details>
      )}
    </li>
  );
}
