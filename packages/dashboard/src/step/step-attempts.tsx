import type { AttemptOutcome, AttemptRecord } from "@planwright/plan/step-history";
import type { StepView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { formatDateTime, formatDuration, formatTime } from "../ui/format.ts";
import type { IconName } from "../ui/icons.tsx";
import { Entries, Entry, ErrorLine, Small } from "./step-parts.tsx";
import { STEP_ATTEMPTS } from "./step-words.ts";

type Look = { readonly words: string; readonly icon: IconName; readonly tone: string };

const OUTCOMES: Readonly<Record<AttemptOutcome, Look>> = {
  running: { words: "running", icon: "running", tone: "run" },
  succeeded: { words: "succeeded", icon: "succeeded", tone: "ok" },
  failed: { words: "failed", icon: "failed", tone: "bad" },
  asked: { words: STEP_ATTEMPTS.stoppedForApproval, icon: "approval", tone: "warn" },
  interrupted: { words: STEP_ATTEMPTS.lost, icon: "alert", tone: "warn" },
};
const GIVEN_UP: Look = { words: "abandoned", icon: "cancelled", tone: "idle" };

type Props = {
  readonly attempts: readonly AttemptRecord[];
  readonly failedAttempts: StepView["failedAttempts"];
  /** The step or item has ended: none of it is running anymore, even if the log has attempts without an end. */
  readonly isOver: boolean;
};

/** Every attempt, oldest first: its worker, time, duration and outcome, and the delay before the next one. */
export function StepAttempts({ attempts, failedAttempts, isOver }: Props) {
  if (attempts.length === 0) return <p className="soft">{STEP_ATTEMPTS.noAttemptsYet}</p>;
  return (
    <Entries>
      {attempts.map((attempt) => (
        <Attempt
          key={`${attempt.undo === true ? "undo" : ""}${attempt.attempt}`}
          attempt={attempt}
          retryAt={
            attempt.undo === true
              ? undefined
              : failedAttempts.find((one) => one.attempt === attempt.attempt)?.retryAt
          }
          isOver={isOver}
        />
      ))}
    </Entries>
  );
}

type AttemptProps = {
  readonly attempt: AttemptRecord;
  readonly retryAt: string | undefined;
  readonly isOver: boolean;
};

function Attempt({ attempt, retryAt, isOver }: AttemptProps) {
  const { outcome, error, startedAt, durationMs, workerId, deliveries, usage } = attempt;
  const isGivenUp = outcome === "running" && isOver;
  const { words, ...look } = isGivenUp ? GIVEN_UP : OUTCOMES[outcome];
  return (
    <Entry
      {...look}
      title={
        (attempt.undo === true ? STEP_ATTEMPTS.compensating : "") + STEP_ATTEMPTS.attempt(attempt.attempt)
      }
      notes={
        <>
          <span>{words}</span>
          {durationMs !== undefined && <span>{STEP_ATTEMPTS.in(formatDuration(durationMs))}</span>}
        </>
      }
    >
      {error !== undefined && (
        <ErrorLine error={error}>
          {attempt.retryable === false && outcome === "failed" && STEP_ATTEMPTS.notRetryable}
        </ErrorLine>
      )}
      {attempt.uncertain === true && <p>{STEP_ATTEMPTS.mayHaveTakenEffect}</p>}
      {attempt.reused === true && <p>{STEP_ATTEMPTS.reused}</p>}
      <Small>
        <span>
          {STEP_ATTEMPTS.worker} <code>{workerId}</code>
        </span>
        {startedAt !== undefined && (
          <time dateTime={startedAt} title={formatDateTime(startedAt)}>
            {STEP_ATTEMPTS.started(formatTime(startedAt))}
          </time>
        )}
        {deliveries > 1 && <span>{STEP_ATTEMPTS.delivered(deliveries)}</span>}
        {attempt.unit !== undefined && <span>{STEP_ATTEMPTS.inUnit(attempt.unit)}</span>}
        {retryAt !== undefined && <span>{STEP_ATTEMPTS.retryAt(formatTime(retryAt))}</span>}
        {usage !== undefined && usage.modelCalls > 0 && (
          <span>{STEP_ATTEMPTS.tokens((usage.inputTokens + usage.outputTokens).toLocaleString("en"))}</span>
        )}
        {attempt.subPlan !== undefined && (
          <Link href={`/plans/${attempt.subPlan}`}>{STEP_ATTEMPTS.itsSubPlan}</Link>
        )}
      </Small>
    </Entry>
  );
}
