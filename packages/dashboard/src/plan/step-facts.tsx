import type { StepView } from "../api/api-types.ts";
import { formatDateTime, formatDuration, formatTime } from "../ui/format.ts";
import { itemsText } from "./items-text.ts";

const WAITING: Readonly<Record<NonNullable<StepView["waitingFor"]>, string>> = {
  dependencies: "the steps before it",
  primary: "the step that it stands in for to fail",
  condition: "its condition to be decided",
  items: "its list to be read",
  draft: "the rest of the plan",
  approval: "the plan to be approved",
  capacity: "a free place",
  retry: "its next attempt",
  budget: "a part of the budget",
  start: "the plan's start",
  resume: "the plan to go on",
};

const FAILED_SHOWN_MAX = 20;

/** Times, attempts and conditions of a step. */
export function StepFacts({ step, critical }: { step: StepView; critical: boolean }) {
  const facts: [string, string | undefined][] = [
    ["Waiting for", step.waitingFor === undefined ? undefined : WAITING[step.waitingFor]],
    ["Items", itemsText(step)],
    ["Verifies", step.verifies],
    ["Verified by", step.verifiedBy?.join(", ")],
    ["Fallback", step.fallback],
    ["Output from", step.standIn],
    ["Critical path", critical ? "on it" : undefined],
    ["Took", step.durationMs === undefined ? undefined : formatDuration(step.durationMs)],
    ["Started", step.startedAt === undefined ? undefined : formatDateTime(step.startedAt)],
    ["Ended", step.endedAt === undefined ? undefined : formatDateTime(step.endedAt)],
    ["Attempt", step.attempt > 0 ? String(step.attempt) : undefined],
    ["Worker", step.workerId],
    ["Pool", step.agent ?? step.grant.pool],
    ["Risk", `${step.grant.risk}, ${step.grant.effect}`],
    ["Time limit", formatDuration(step.timeoutMs ?? step.grant.timeoutMs)],
    ["Success means", step.successCriteria],
    ["Expected", step.expectedOutput],
    ["Confidence", step.confidence === undefined ? undefined : `${Math.round(step.confidence * 100)} %`],
  ];
  const failed = (step.items ?? []).filter(({ status }) => status === "failed").slice(0, FAILED_SHOWN_MAX);
  return (
    <>
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
      {step.failedAttempts.length > 0 && (
        <ol className="attempts" aria-label="Failed attempts">
          {step.failedAttempts.map(({ attempt, error, at }) => (
            <li key={attempt}>
              Attempt {attempt} failed at {formatTime(at)}: {error.message} <code>{error.code}</code>
            </li>
          ))}
        </ol>
      )}
      {failed.length > 0 && (
        <ol className="attempts" aria-label="Failed items">
          {failed.map(({ item, error }) => (
            <li key={item}>
              Item {item} failed: {error?.message} <code>{error?.code}</code>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}
