import type { Approval } from "../api/api-types.ts";
import { formatDateTime } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import styles from "./step.module.css";

const WORDS: Readonly<Record<NonNullable<Approval["decision"]>, string>> = {
  approve: "Approved",
  reject: "Rejected",
  answer: "Answered",
  happened: "Confirmed to have taken effect",
  "run-again": "Allowed to run again",
};

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
          {approval.signedAs !== undefined && <p>Signed as {approval.signedAs}</p>}
          {approval.reason !== undefined && <p>Reason: {approval.reason}</p>}
          {approval.decidedAt !== undefined && (
            <p className={styles.attemptMore}>
              <time dateTime={approval.decidedAt}>{formatDateTime(approval.decidedAt)}</time>
              {approval.edits !== undefined && <span>with edited arguments</span>}
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
  if (status === "pending") return "Waiting for a decision";
  if (status === "withdrawn") return "No longer needs a decision";
  if (status === "expired") return "Expired: rejected";
  return `${decision === undefined ? "Decided" : WORDS[decision]} by ${decidedBy ?? "a person"}`;
}
