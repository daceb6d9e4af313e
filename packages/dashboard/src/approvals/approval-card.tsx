import { decidersText } from "@planwright/plan/deciders-text";
import { composedText, originText } from "@planwright/plan/origin-text";
import type { ReactNode } from "react";
import type { Approval, Decision, JsonObject } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { useServices } from "../shell/services.ts";
import { formatDateTime } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { RiskBadge } from "../ui/status-badge.tsx";
import { useNow } from "../clock/use-now.ts";
import { JsonView } from "../values/json-view.tsx";
import { APPROVAL_CARD, expiryText, ORIGINS, titleOf } from "./approval-words.ts";
import { DecisionForm } from "./decision-form.tsx";
import { RowChanges, rowChangesOf } from "./row-changes.tsx";
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

/** Where the URLs that a model composed lead, and where each argument comes from. */
function Origins({ approval }: { readonly approval: Approval }) {
  const { composedUrls = [], argumentOrigins = [] } = approval;
  return (
    <>
      {composedUrls.length > 0 && (
        <dl className={styles.approvalOrigins} aria-label={ORIGINS.urls}>
          {composedUrls.map((url) => (
            <div key={url.argument}>
              <dt>
                <code>{url.argument}</code>
              </dt>
              <dd>
                {ORIGINS.target} {composedText(url) ?? ORIGINS.unknownAddress}
              </dd>
            </div>
          ))}
        </dl>
      )}
      {argumentOrigins.length > 0 && (
        <details className={styles.approvalArgs}>
          <summary>{ORIGINS.argumentSources}</summary>
          <dl className={styles.approvalOrigins}>
            {argumentOrigins.map((origin) => (
              <div key={origin.argument}>
                <dt>
                  <code>{origin.argument}</code>
                </dt>
                <dd>{originText(origin)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </>
  );
}
