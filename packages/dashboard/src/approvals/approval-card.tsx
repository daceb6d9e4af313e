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

type Props = {
  readonly planId: string;
  readonly approval: Approval;
  /** The value that an edit starts from; absent when nothing can be edited here. */
  readonly editable: JsonObject | undefined;
  readonly onDecided: () => void;
  /** The arguments of the step that needs approval. */
  readonly stepLink: ReactNode;
};

/** One pending approval: the question, the exact arguments, and the possible decisions. */
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
      className="card tone-warn grid grid-cols-1 gap-3 border-tone/45 px-5 py-4"
      data-part="approval"
      data-testid="approval"
      tabIndex={-1}
      aria-label={titleOf(approval)}
    >
      <header className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <Icon className="flex-none text-warn" name="approval" />
        <h3 className="text-base">{titleOf(approval)}</h3>
        {risk !== undefined && <RiskBadge risk={risk} />}
        <span className="spacer" />
        <time
          className="text-sm text-soft"
          dateTime={expiresAt}
          title={APPROVAL_CARD.autoRejectsOn(formatDateTime(expiresAt))}
        >
          {expiryText(expiresAt, now)}
        </time>
      </header>
      <p className="max-w-[92ch] whitespace-pre-wrap">{approval.question}</p>
      {deciders !== undefined && <p>{deciders}</p>}
      <p className="flex flex-wrap items-center gap-2">
        {stepLink}
        {tool !== undefined && <code>{tool}</code>}
      </p>
      {changes.length > 0 && <RowChanges changes={changes} />}
      {args !== undefined && approval.kind !== "question" && (
        <Details summary={APPROVAL_CARD.exactArguments} isOpen={changes.length === 0}>
          <JsonView value={args} />
        </Details>
      )}
      <Origins approval={approval} />
      <DecisionForm approval={approval} editable={editable} action={action} onDecide={decide} />
    </article>
  );
}

type DetailsProps = { readonly summary: string; readonly isOpen?: boolean; readonly children: ReactNode };

function Details({ summary, isOpen, children }: DetailsProps) {
  return (
    <details open={isOpen}>
      <summary className="w-fit cursor-pointer text-sm text-soft">{summary}</summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}

/** Where model-composed URLs lead, and where each argument comes from. */
function Origins({ approval }: { readonly approval: Approval }) {
  const { composedUrls = [], argumentOrigins = [] } = approval;
  const urls = composedUrls.map(
    (url) => [url.argument, `${ORIGINS.target} ${composedText(url) ?? ORIGINS.unknownAddress}`] as const,
  );
  const sources = argumentOrigins.map((origin) => [origin.argument, originText(origin)] as const);
  return (
    <>
      {urls.length > 0 && <ArgumentList label={ORIGINS.urls} rows={urls} />}
      {sources.length > 0 && (
        <Details summary={ORIGINS.argumentSources}>
          <ArgumentList rows={sources} />
        </Details>
      )}
    </>
  );
}

type ArgumentListProps = {
  readonly label?: string;
  readonly rows: readonly (readonly [argument: string, words: string])[];
};

function ArgumentList({ label, rows }: ArgumentListProps) {
  return (
    <dl className="grid gap-1 text-sm" aria-label={label}>
      {rows.map(([argument, words]) => (
        <div key={argument} className="flex flex-wrap gap-x-2.5 gap-y-0.5">
          <dt>
            <code>{argument}</code>
          </dt>
          <dd className="text-soft">{words}</dd>
        </div>
      ))}
    </dl>
  );
}
