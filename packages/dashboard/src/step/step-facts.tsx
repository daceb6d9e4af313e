import type { StepHistory } from "@planwright/plan/step-history";
import type { StepView } from "../api/api-types.ts";
import { formatCount, formatDateTime, formatDuration, formatPercent } from "../ui/format.ts";
import { formatUsd } from "@planwright/plan/amounts";
import { STEP_FACTS, EFFECTS } from "./step-words.ts";

/** A step's times, limits, conditions and usage. */
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
    [STEP_FACTS.criticalPath, critical ? "yes" : undefined],
    [STEP_FACTS.took, step.durationMs === undefined ? undefined : formatDuration(step.durationMs)],
    [STEP_FACTS.started, step.startedAt === undefined ? undefined : formatDateTime(step.startedAt)],
    [STEP_FACTS.ended, step.endedAt === undefined ? undefined : formatDateTime(step.endedAt)],
    [STEP_FACTS.modelUse, history === undefined ? undefined : usageText(history.usage)],
    [STEP_FACTS.reviews, history === undefined ? undefined : usageText(history.lookedAt)],
    [STEP_FACTS.worker, step.workerId],
    [STEP_FACTS.pool, step.agent ?? step.grant.agent?.pool ?? step.grant.pool],
    [STEP_FACTS.model, step.model],
    [STEP_FACTS.risk, `${step.grant.risk} risk, ${EFFECTS[step.grant.effect]}`],
    [STEP_FACTS.timeLimit, formatDuration(step.timeoutMs ?? step.grant.timeoutMs)],
    [STEP_FACTS.retries, retryText(step)],
    [STEP_FACTS.condition, step.when],
    [STEP_FACTS.successCriteria, step.successCriteria],
    [STEP_FACTS.expected, step.expectedOutput],
    [STEP_FACTS.confidence, step.confidence === undefined ? undefined : formatPercent(step.confidence)],
    [STEP_FACTS.compensation, step.compensate?.tool],
    [STEP_FACTS.plannedIn, step.draft === 0 ? undefined : `draft ${step.draft}`],
    [STEP_FACTS.carriedOver, step.carried === true ? STEP_FACTS.fromOriginal : undefined],
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

function usageText({
  modelCalls,
  inputTokens,
  outputTokens,
  costUsd,
}: StepHistory["usage"]): string | undefined {
  if (modelCalls === 0) return undefined;
  const cost = costUsd === null ? STEP_FACTS.costUnknown : costUsd > 0 ? `, ${formatUsd(costUsd)}` : "";
  return `${formatCount(modelCalls, "call")}, ${formatCount(inputTokens, "token")} in, ${outputTokens.toLocaleString("en")} out${cost}`;
}

function retryText({ retry }: StepView): string | undefined {
  if (retry === undefined) return undefined;
  const { maxAttempts, backoffMs } = retry;
  const parts = [
    maxAttempts === undefined ? undefined : STEP_FACTS.upTo(formatCount(maxAttempts, "attempt")),
    backoffMs === undefined ? undefined : STEP_FACTS.theSecondAfter(formatDuration(backoffMs)),
  ];
  return parts.filter((part) => part !== undefined).join(", ") || undefined;
}
