/** The pending approvals of all plans. */
import { useState } from "react";
import type { JsonObject, PendingApproval } from "../api/api-types.ts";
import { ApprovalCard } from "../approvals/approval-card.tsx";
import { useApprovalKey } from "../approvals/use-approval-key.ts";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { formatCount } from "../ui/format.ts";
import { EmptyState } from "../empty-states/empty-state.tsx";
import { SystemPage } from "./system-page.tsx";
import { useRefreshed } from "./use-refreshed.ts";
import { APPROVALS_PAGE } from "./system-words.ts";

const LEAD = APPROVALS_PAGE.lead;

export function ApprovalsPage() {
  const { gateway } = useServices();
  const [version, setVersion] = useState(0);
  const loaded = useRefreshed("approvals", gateway.pendingApprovals, version);
  useApprovalKey(loaded.phase === "ready" && loaded.value.total > 0);
  const decided = () => setVersion((before) => before + 1);
  return (
    <SystemPage title={APPROVALS_PAGE.approvals} lead={LEAD} loaded={loaded}>
      {({ total, approvals }) =>
        total === 0 ? (
          <EmptyState of="approvals" />
        ) : (
          <>
            <p>
              {total === approvals.length
                ? formatCount(total, "approval")
                : APPROVALS_PAGE.of(approvals.length, formatCount(total, "approval"))}
            </p>
            {approvals.map((approval) => (
              <Waiting
                key={`${approval.planId} ${approval.approvalId}`}
                approval={approval}
                onDecided={decided}
              />
            ))}
          </>
        )
      }
    </SystemPage>
  );
}

function Waiting({ approval, onDecided }: { approval: PendingApproval; onDecided: () => void }) {
  const { planId, goal, stepId } = approval;
  const plan = `/plans/${encodeURIComponent(planId)}`;
  const step = stepId === undefined ? plan : `${plan}?step=${encodeURIComponent(stepId)}`;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={APPROVALS_PAGE.plan(goal)}>
      <h2 className="max-h-[3.2em] overflow-hidden text-base font-semibold">
        <Link href={plan}>{goal}</Link>
      </h2>
      <ApprovalCard
        planId={planId}
        approval={approval}
        editable={editableOf(approval)}
        onDecided={onDecided}
        stepLink={stepId === undefined ? null : <Link href={step}>{APPROVALS_PAGE.step(stepId)}</Link>}
      />
    </section>
  );
}

/** The plan is not loaded here: a whole plan is edited on its own page. */
function editableOf({ kind, args }: PendingApproval): JsonObject | undefined {
  if (kind === "budget") return {};
  return kind === "tool-risk" || kind === "confidence" ? args : undefined;
}
