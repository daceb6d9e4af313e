import { strategyName } from "@planwright/plan/strategy-name";
import type { PlanView } from "../api/api-types.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { JsonView } from "../values/json-view.tsx";
import { formatUsd } from "@planwright/plan/amounts";
import { PLAN_DETAILS } from "./plan-words.ts";
import styles from "./plan-page.module.css";

/** Of a longer goal, the header may show the beginning only. */
const GOAL_CHARS_SHOWN = 60;

/** What is known of the plan besides its steps: why it was planned so, under which constraints, at what cost. */
export function PlanDetails({ view }: { view: PlanView }) {
  const { usage, criticalPath, draft } = view;
  const tokens = usage.inputTokens + usage.outputTokens;
  return (
    <details className={`${styles.planDetails} card`}>
      <summary>{PLAN_DETAILS.planDetails}</summary>
      <dl className="facts">
        {view.goal.length > GOAL_CHARS_SHOWN && (
          <>
            <dt>{PLAN_DETAILS.goal}</dt>
            <dd className={styles.planWholeGoal}>{view.goal}</dd>
          </>
        )}
        <dt>{PLAN_DETAILS.strategy}</dt>
        <dd>
          {strategyName(view.strategy)}
          {view.strategyReason !== undefined && `: ${view.strategyReason}`}
        </dd>
        {view.reasoning !== undefined && view.reasoning !== "" && (
          <>
            <dt>{PLAN_DETAILS.reasoning}</dt>
            <dd>{view.reasoning}</dd>
          </>
        )}
        {view.submittedBy !== undefined && (
          <>
            <dt>{PLAN_DETAILS.submittedBy}</dt>
            <dd>{view.submittedBy}</dd>
          </>
        )}
        <AskedFor view={view} />
        <dt>{PLAN_DETAILS.planId}</dt>
        <Id text={view.planId} label={PLAN_DETAILS.copyPlanId} />
        <dt>{PLAN_DETAILS.traceId}</dt>
        <Id text={view.traceId} label={PLAN_DETAILS.copyTraceId} testId="trace-id" />
        <dt>{PLAN_DETAILS.criticalPath}</dt>
        <dd>
          {criticalPath.stepIds.length === 0
            ? PLAN_DETAILS.noneYet
            : `${criticalPath.stepIds.slice(0, 30).join(" → ")} (${formatDuration(criticalPath.durationMs)})`}
        </dd>
        <dt>{PLAN_DETAILS.model}</dt>
        <dd>
          {formatCount(usage.modelCalls, "call")}, {formatCount(tokens, "token")}
          {usage.costUsd !== null && usage.costUsd > 0 && `, ${formatUsd(usage.costUsd)}`}
        </dd>
        {draft.issues.length > 0 && (
          <>
            <dt>{PLAN_DETAILS.issuesOfDraft(draft.number)}</dt>
            <dd>
              <ul>
                {draft.issues.map((issue) => (
                  <li key={`${issue.stepId} ${issue.field} ${issue.message}`}>{issue.message}</li>
                ))}
              </ul>
            </dd>
          </>
        )}
        {Object.keys(view.metadata).length > 0 && (
          <>
            <dt>{PLAN_DETAILS.metadata}</dt>
            <dd>
              <JsonView value={view.metadata} />
            </dd>
          </>
        )}
      </dl>
    </details>
  );
}

function Id({ text, label, testId }: { text: string; label: string; testId?: string }) {
  return (
    <dd className={styles.planId}>
      <code data-testid={testId}>{text}</code>
      <CopyButton text={text} label={label} />
    </dd>
  );
}

/** What the submission says of the plan and its answer. */
function AskedFor({ view: { constraints, planSize, requireSources, priority } }: { view: PlanView }) {
  return (
    <>
      {constraints.length > 0 && (
        <>
          <dt>{PLAN_DETAILS.constraints}</dt>
          <dd>{constraints.join(" · ")}</dd>
        </>
      )}
      {planSize !== undefined && (
        <>
          <dt>{PLAN_DETAILS.planSize}</dt>
          <dd>{sizeText(planSize)}</dd>
        </>
      )}
      {requireSources === true && (
        <>
          <dt>{PLAN_DETAILS.sources}</dt>
          <dd>{PLAN_DETAILS.sourcesRequired}</dd>
        </>
      )}
      {priority !== undefined && (
        <>
          <dt>{PLAN_DETAILS.priority}</dt>
          <dd>{priority}</dd>
        </>
      )}
    </>
  );
}

function sizeText({ min, max }: NonNullable<PlanView["planSize"]>): string {
  if (max === undefined) return `min ${min} steps`;
  if (min === undefined) return `max ${max} steps`;
  return min === max ? `${min} steps` : `${min} to ${max} steps`;
}
