import type { Approval } from "../api/api-types.ts";
import { formatDateTime } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { STEP_DECISIONS, DECISION_NAMES } from "./step-words.ts";
import styles from "./step.module.css";

/** What people were asked about the step, and what they said. */
export function StepDecisions({ approvals }: { approvals: readonly Approval[] }) {
  return (
    <ol className={styles.attempts}>
      {approvals.map((approval) => (
        <li key={approval.approvalId} className={`tone-${toneOf(approval)}`}>
          <p className={styles.attemptHead}>
            <Icon name="approval" size={14} />
            <strong>{saidOf(approval)}</strong>
          </p>
          <p>{approval.question}</p>
          {approval.signedAs !== undefined && <p>{STEP_DECISIONS.signedAs(approval.signedAs)}</p>}
          {approval.reason !== undefined && <p>{STEP_DECISIONS.reason(approval.reason)}</p>}
          {approval.decidedAt !== undefined && (
            <p className={styles.attemptMore}>
              <time dateTime={approval.decidedAt}>{formatDateTime(approval.decidedAt)}</time>
              {approval.edits !== undefined && <span>{STEP_DECISIONS.withEditedArguments}</span>}
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function toneOf({ status, decision }: Approval): string {
  if (status === "pending") return "warn";
  return decision === "reject" ? "bad" : status === "decided" ? "ok" : "idle";
}

function saidOf({ status, decision, decidedBy }: Approval): string {
  if (status === "pending") return STEP_DECISIONS.undecided;
  if (status === "withdrawn") return STEP_DECISIONS.noDecisionNeeded;
  if (status === "expired") return STEP_DECISIONS.expiredRejected;
  return `${decision === undefined ? STEP_DECISIONS.decided : DECISION_NAMES[decision]} by ${decidedBy ?? STEP_DECISIONS.aReviewer}`;
}
