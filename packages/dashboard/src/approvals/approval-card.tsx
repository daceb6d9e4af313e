import { decidersText } from "@planwright/plan/deciders-text";
import type { ReactNode } from "react";
import type { Approval, Decision, JsonObject } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { useServices } from "../shell/services.ts";
import { formatDateTime } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { useNow } from "../ui/use-now.ts";
import { JsonView } from "../values/json-view.tsx";
import { expiryText, titleOf } from "./approval-words.ts";
import { DecisionForm } from "./decision-form.tsx";
import { RowChanges, rowChangesOf } from "./row-changes.tsx";
import { Origins } from "./origins.tsx";
import { RiskBadge } from "../ui/risk-badge.tsx";
import { APPROVAL_CARD } from "./approval-words.ts";
import styles from "./approvals.module.css";

type Props = {
  readonly planId: string;
  readonly approval: Approval;
  /** What an edit starts from; absent when nothing can be edited here. */
  readonly editable: JsonObject | undefined;
  readonly onDecided: () => void;
  /** Of the step that waits. */
  readonly stepLink: ReactNode;
};

/** One thing that waits for a person: what is asked, the exact arguments, and what may be decided. */
export function ApprovalCard({ planId, approval, editable, onDecided, stepLink }: Props) {
  const now = useNow(30_000);
  const { gateway } = useServices();
  const action = useAction(onDecided);
  const { approvalId, tool, risk, args, expiresAt } = approval;
  const deciders = decidersText(approval);
  const changes = rowChangesOf(args?.["changes"]);
  const decide = (decision: Decision) =>
    void action.run((signal) => gateway.decide(planId, approvalId, decision, signal));
  return (
    <article
      className={`${styles.approval} card tone-warn`}
      data-part="approval"
      data-testid="approval"
      tabIndex={-1}
      aria-label={titleOf(approval)}
    >
      <header>
        <Icon name="approval" />
        <h3>{titleOf(approval)}</h3>
        {risk !== undefined && <RiskBadge risk={risk} />}
        <span className="spacer" />
        <time dateTime={expiresAt} title={APPROVAL_CARD.autoRejectsOn(formatDateTime(expiresAt))}>
          {expiryText(expiresAt, now)}
        </time>
      </header>
      <p className={styles.approvalQuestion}>{approval.question}</p>
      {deciders !== undefined && <p>{deciders}</p>}
      <p className={styles.approvalOf}>
        {stepLink}
        {tool !== undefined && <code>{tool}</code>}
      </p>
      {changes.length > 0 && <RowChanges changes={changes} />}
      {args !== undefined && approval.kind !== "question" && (
        <details className={styles.approvalArgs} open={changes.length === 0}>
          <summary>{APPROVAL_CARD.exactArguments}</summary>
          <JsonView value={args} />
        </details>
      )}
      <Origins approval={approval} />
      <DecisionForm approval={approval} editable={editable} action={action} onDecide={decide} />
    </article>
  );
}
