import type { StepHistory } from "@planwright/plan/step-history";
import type { StepView } from "../api/api-types.ts";
import { formatCount, formatDateTime, formatDuration, formatPercent } from "../ui/format.ts";
import { formatUsd } from "@planwright/plan/amounts";

/** Times, limits and terms of a step, and what it has used. */
export function StepFacts({
  step,
  critical,
  history,
}: {
  step: StepView;
  critical: boolean;
  history: StepHistory | undefined;
}) {
  const facts: [string, string | undefined][] = [
    ["Critical path", critical ? "yes" : undefined],
    ["Took", step.durationMs === undefined ? undefined : formatDuration(step.durationMs)],
    ["Started", step.startedAt === undefined ? undefined : formatDateTime(step.startedAt)],
    ["Ended", step.endedAt === undefined ? undefined : formatDateTime(step.endedAt)],
    ["Model use", history === undefined ? undefined : usageText(history.usage)],
    ["Reviews", history === undefined ? undefined : usageText(history.lookedAt)],
    ["Worker", step.workerId],
    ["Pool", step.agent ?? step.grant.agent?.pool ?? step.grant.pool],
    ["Model", step.model],
    ["Risk", `${step.grant.risk} risk, ${EFFECTS[step.grant.effect]}`],
    ["Time limit", formatDuration(step.timeoutMs ?? step.grant.timeoutMs)],
    ["Retries", retryText(step)],
    ["Condition", step.when],
    ["Success means", step.successCriteria],
    ["Expected", step.expectedOutput],
    ["Confidence", step.confidence === undefined ? undefined : formatPercent(step.confidence)],
    ["Compensation", step.compensate?.tool],
    ["Planned in", step.draft === 0 ? undefined : `draft ${step.draft}`],
    ["Carried over", step.carried === true ? "from the plan this one was forked from" : undefined],
  ];
  return (
    <dl className="facts">
      {facts.map(([name, value]) =>
        value === undefined ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

const EFFECTS: Readonly<Record<StepView["grant"]["effect"], string>> = {
  read: "read-only",
  idempotent: "idempotent write",
  once: "runs at most once",
};

function usageText({
  modelCalls,
  inputTokens,
  outputTokens,
  costUsd,
}: StepHistory["usage"]): string | undefined {
  if (modelCalls === 0) return undefined;
  const cost = costUsd === null ? ", cost unknown" : costUsd > 0 ? `, ${formatUsd(costUsd)}` : "";
  return `${formatCount(modelCalls, "call")}, ${formatCount(inputTokens, "token")} in, ${outputTokens.toLocaleString("en")} out${cost}`;
}

function retryText({ retry }: StepView): string | undefined {
  if (retry === undefined) return undefined;
  const { maxAttempts, backoffMs } = retry;
  const parts = [
    maxAttempts === undefined ? undefined : `up to ${formatCount(maxAttempts, "attempt")}`,
    backoffMs === undefined ? undefined : `the second after ${formatDuration(backoffMs)}`,
  ];
  return parts.filter((part) => part !== undefined).join(", ") || undefined;
}
