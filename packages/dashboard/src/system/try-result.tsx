import { useEffect, useState } from "react";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { Problem } from "../ui/problem.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { StepResult } from "../plan/step-result.tsx";
import { useRefreshed } from "./use-refreshed.ts";

/** What has become of a plan of one step, live. */
export function TryResult({ planId, stepId }: { planId: string; stepId: string }) {
  const { gateway, live } = useServices();
  const [heard, setHeard] = useState(0);
  useEffect(() => {
    const hear = () => setHeard((before) => before + 1);
    return live.watch(planId, undefined, { onEvent: hear, onBehind: hear });
  }, [planId, live]);
  const loaded = useRefreshed(`try ${planId}`, (signal) => gateway.plan(planId, signal), heard);
  const plan = `/plans/${encodeURIComponent(planId)}`;
  if (loaded.phase === "failed") return <Problem error={loaded.error} />;
  const view = loaded.phase === "ready" ? loaded.value : undefined;
  const step = view?.steps.find(({ id }) => id === stepId);
  const status = view?.endedAt === undefined ? (view?.status ?? "running") : (step?.status ?? view.status);
  return (
    <section className="try-result" aria-label="Result" role="status">
      <p>
        <StatusBadge status={status} /> <Link href={plan}>Its plan</Link>
        {status === "awaiting-approval" && " waits for your decision there."}
      </p>
      {step !== undefined && <StepResult planId={planId} step={step} />}
    </section>
  );
}
