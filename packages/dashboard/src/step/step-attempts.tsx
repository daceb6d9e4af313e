import type { AttemptOutcome, AttemptRecord } from "@planwright/plan/step-history";
import type { StepView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { formatDateTime, formatDuration, formatTime } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { STEP_ATTEMPTS } from "./step-words.ts";
import styles from "./step.module.css";

const OUTCOMES: Readonly<Record<AttemptOutcome, { words: string; icon: IconName; tone: string }>> = {
  running: { words: "running", icon: "running", tone: "run" },
  succeeded: { words: "succeeded", icon: "succeeded", tone: "ok" },
  failed: { words: "failed", icon: "failed", tone: "bad" },
  asked: { words: STEP_ATTEMPTS.stoppedForApproval, icon: "approval", tone: "warn" },
  interrupted: { words: STEP_ATTEMPTS.lost, icon: "alert", tone: "warn" },
};

type Props = {
  readonly attempts: readonly AttemptRecord[];
  readonly failedAttempts: StepView["failedAttempts"];
  /** The step, or the item, has ended: nothing of it runs any more, whatever the log left open. */
  readonly isOver: boolean;
};

/** Every attempt, the first one first: who, when, how long, how it ended, and when it was tried again. */
export function StepAttempts({ attempts, failedAttempts, isOver }: Props) {
  if (attempts.length === 0) return <p className="soft">{STEP_ATTEMPTS.noAttemptsYet}</p>;
  return (
    <ol className={styles.attempts}>
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
    </ol>
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
  const look = isGivenUp
    ? { words: "abandoned", icon: "cancelled" as const, tone: "idle" }
    : OUTCOMES[outcome];
  return (
    <li className={`tone-${look.tone}`} data-outcome={outcome}>
      <p className={styles.attemptHead}>
        <Icon name={look.icon} size={14} />
        <strong>
          {attempt.undo === true && STEP_ATTEMPTS.compensating}
          {STEP_ATTEMPTS.attempt(attempt.attempt)}
        </strong>
        <span>{look.words}</span>
        {durationMs !== undefined && <span>{STEP_ATTEMPTS.in(formatDuration(durationMs))}</span>}
      </p>
      {error !== undefined && (
        <p className={styles.attemptError} data-part="attempt-error">
          {error.message} <code>{error.code}</code>
          {attempt.retryable === false && outcome === "failed" && STEP_ATTEMPTS.notRetryable}
        </p>
      )}
      {attempt.uncertain === true && <p>{STEP_ATTEMPTS.mayHaveTakenEffect}</p>}
      {attempt.reused === true && <p>{STEP_ATTEMPTS.reused}</p>}
      <p className={styles.attemptMore}>
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
      </p>
    </li>
  );
}
