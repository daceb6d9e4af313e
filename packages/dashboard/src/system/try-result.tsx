import { Link } from "../router/link.tsx";
import { useLivePlan } from "../live/use-live-plan.ts";
import { Problem } from "../ui/problem.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { StepResult } from "../plan/step-result.tsx";
import { TRY_RESULT } from "./system-words.ts";
import styles from "./system.module.css";

/** What has become of a plan of one step, live. */
export function TryResult({ planId, stepId }: { planId: string; stepId: string }) {
  const { state } = useLivePlan(planId);
  const plan = `/plans/${encodeURIComponent(planId)}`;
  if (state.phase === "failed") return <Problem error={state.error} />;
  const view = state.phase === "ready" ? state.view : undefined;
  const step = view?.steps.find(({ id }) => id === stepId);
  const status = view?.endedAt === undefined ? (view?.status ?? "running") : (step?.status ?? view.status);
  return (
    <section className={styles.tryResult} aria-label={TRY_RESULT.result} role="status">
      <p>
        <StatusBadge status={status} /> <Link href={plan}>{TRY_RESULT.plan}</Link>
        {status === "awaiting-approval" && TRY_RESULT.waiting}
      </p>
      {step !== undefined && <StepResult planId={planId} step={step} />}
    </section>
  );
}
