import { strategyName } from "@planwright/plan/strategy-name";
import type { ReactNode } from "react";
import type { PlanView } from "../api/api-types.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatCount, formatDuration } from "../ui/format.ts";
import { JsonView } from "../values/json-view.tsx";
import { formatUsd } from "@planwright/plan/amounts";
import { PLAN_DETAILS } from "./plan-words.ts";

/** The header may show only the beginning of a longer goal. */
const GOAL_CHARS_SHOWN = 60;

/** The plan's details besides its steps: the planner's reasoning, the constraints and the cost. */
export function PlanDetails({ view }: { view: PlanView }) {
  const { usage, criticalPath, draft } = view;
  const tokens = usage.inputTokens + usage.outputTokens;
  return (
    <details className="card">
      <summary className="cursor-pointer px-4.5 py-3 font-medium">{PLAN_DETAILS.planDetails}</summary>
      <dl className="facts px-4.5 pt-1 pb-4.5">
        <Fact name={PLAN_DETAILS.goal}>
          {view.goal.length > GOAL_CHARS_SHOWN && <span className="whitespace-pre-line">{view.goal}</span>}
        </Fact>
        <Fact name={PLAN_DETAILS.strategy}>
          {strategyName(view.strategy)}
          {view.strategyReason !== undefined && `: ${view.strategyReason}`}
        </Fact>
        <Fact name={PLAN_DETAILS.reasoning}>{view.reasoning}</Fact>
        <Fact name={PLAN_DETAILS.submittedBy}>{view.submittedBy}</Fact>
        <Fact name={PLAN_DETAILS.constraints}>{view.constraints.join(" · ")}</Fact>
        <Fact name={PLAN_DETAILS.planSize}>{view.planSize && sizeText(view.planSize)}</Fact>
        <Fact name={PLAN_DETAILS.sources}>
          {view.requireSources === true && PLAN_DETAILS.sourcesRequired}
        </Fact>
        <Fact name={PLAN_DETAILS.priority}>{view.priority}</Fact>
        <Fact name={PLAN_DETAILS.planId}>
          <code>{view.planId}</code> <CopyButton text={view.planId} label={PLAN_DETAILS.copyPlanId} />
        </Fact>
        <Fact name={PLAN_DETAILS.traceId}>
          <code data-testid="trace-id">{view.traceId}</code>{" "}
          <CopyButton text={view.traceId} label={PLAN_DETAILS.copyTraceId} />
        </Fact>
        <Fact name={PLAN_DETAILS.criticalPath}>
          {criticalPath.stepIds.length === 0
            ? PLAN_DETAILS.noneYet
            : `${criticalPath.stepIds.slice(0, 30).join(" → ")} (${formatDuration(criticalPath.durationMs)})`}
        </Fact>
        <Fact name={PLAN_DETAILS.model}>
          {formatCount(usage.modelCalls, "call")}, {formatCount(tokens, "token")}
          {usage.costUsd !== null && usage.costUsd > 0 && `, ${formatUsd(usage.costUsd)}`}
        </Fact>
        <Fact name={PLAN_DETAILS.issuesOfDraft(draft.number)}>
          {draft.issues.length > 0 && (
            <ul>
              {draft.issues.map((issue) => (
                <li key={`${issue.stepId} ${issue.field} ${issue.message}`}>{issue.message}</li>
              ))}
            </ul>
          )}
        </Fact>
        <Fact name={PLAN_DETAILS.metadata}>
          {Object.keys(view.metadata).length > 0 && <JsonView value={view.metadata} />}
        </Fact>
      </dl>
    </details>
  );
}

/** Renders nothing if there is nothing to show. */
function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (children === undefined || children === false || children === "") return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function sizeText({ min, max }: NonNullable<PlanView["planSize"]>): string {
  if (max === undefined) return `min ${min} steps`;
  if (min === undefined) return `max ${max} steps`;
  return min === max ? `${min} steps` : `${min} to ${max} steps`;
}
