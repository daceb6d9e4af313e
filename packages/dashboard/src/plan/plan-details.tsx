import { strategyName } from "@planwright/plan/strategy-name";
import type { PlanView } from "../api/api-types.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { JsonView } from "../values/json-view.tsx";
import { formatUsd } from "@planwright/plan/amounts";
import styles from "./plan-page.module.css";

/** Of a longer goal, the header may show the beginning only. */
const GOAL_CHARS_SHOWN = 60;

/** What is known of the plan besides its steps: why it was planned so, under which constraints, at what cost. */
export function PlanDetails({ view }: { view: PlanView }) {
  const { usage, criticalPath, draft } = view;
  const tokens = usage.inputTokens + usage.outputTokens;
  return (
    <details className={`${styles.planDetails} card`}>
      <summary>Plan details</summary>
      <dl className="facts">
        {view.goal.length > GOAL_CHARS_SHOWN && (
          <>
            <dt>Goal</dt>
            <dd className={styles.planWholeGoal}>{view.goal}</dd>
          </>
        )}
        <dt>Strategy</dt>
        <dd>
          {strategyName(view.strategy)}
          {view.strategyReason !== undefined && `: ${view.strategyReason}`}
        </dd>
        {view.reasoning !== undefined && view.reasoning !== "" && (
          <>
            <dt>Reasoning</dt>
            <dd>{view.reasoning}</dd>
          </>
        )}
        {view.submittedBy !== undefined && (
          <>
            <dt>Submitted by</dt>
            <dd>{view.submittedBy}</dd>
          </>
        )}
        <AskedFor view={view} />
        <dt>Plan ID</dt>
        <Id text={view.planId} label="Copy plan ID" />
        <dt>Trace ID</dt>
        <Id text={view.traceId} label="Copy trace ID" testId="trace-id" />
        <dt>Critical path</dt>
        <dd>
          {criticalPath.stepIds.length === 0
            ? "none yet"
            : `${criticalPath.stepIds.slice(0, 30).join(" → ")} (${formatDuration(criticalPath.durationMs)})`}
        </dd>
        <dt>Model</dt>
        <dd>
          {formatCount(usage.modelCalls, "call")}, {formatCount(tokens, "token")}
          {usage.costUsd !== null && usage.costUsd > 0 && `, ${formatUsd(usage.costUsd)}`}
        </dd>
        {draft.issues.length > 0 && (
          <>
            <dt>Issues of draft {draft.number}</dt>
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
            <dt>Metadata</dt>
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
          <dt>Constraints</dt>
          <dd>{constraints.join(" · ")}</dd>
        </>
      )}
      {planSize !== undefined && (
        <>
          <dt>Plan size</dt>
          <dd>{sizeText(planSize)}</dd>
        </>
      )}
      {requireSources === true && (
        <>
          <dt>Sources</dt>
          <dd>required for numbers and names</dd>
        </>
      )}
      {priority !== undefined && (
        <>
          <dt>Priority</dt>
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
