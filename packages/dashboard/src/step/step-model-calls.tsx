import type { Span, StepView } from "../api/api-types.ts";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { formatCount, formatDuration } from "../ui/format.ts";
import { Icon } from "../ui/icons.tsx";
import { useChanges } from "../ui/use-changes.ts";
import { type Loaded, useLoaded } from "../ui/use-loaded.ts";
import { Folded } from "../values/folded.tsx";
import { formatUsd } from "@planwright/plan/amounts";
import { type ModelCall, type StepSpans, stepSpans } from "./step-spans.ts";
import { STEP_MODEL_CALLS } from "./step-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import styles from "./step.module.css";

const CALLS_SHOWN = 60;
/** Services export spans some time after they ended. */
const LATE_SPANS_MS = [1_000, 5_000] as const;
const RECENT_MS = 10_000;
const NEVER: readonly number[] = [];

/** The step's part of the plan's trace: read when the step is looked at, when it has changed, and until its last spans are in. */
export function useStepSpans(
  planId: string,
  step: Pick<StepView, "id" | "startedAt" | "endedAt">,
): Loaded<StepSpans> {
  const { gateway } = useServices();
  const hasRun = step.startedAt !== undefined || step.endedAt !== undefined;
  const { version } = useChanges(step, isRecent(step.endedAt, Date.now()) ? LATE_SPANS_MS : NEVER);
  const loaded: Loaded<readonly Span[]> = useLoaded(
    planId,
    hasRun ? version : 0,
    async (signal) => (await gateway.trace(planId, signal)).spans,
    { insists: true },
  );
  return loaded.phase === "ready" ? { ...loaded, value: stepSpans(loaded.value, step.id) } : loaded;
}

function isRecent(endedAt: string | undefined, nowMs: number): boolean {
  return endedAt === undefined || nowMs - Date.parse(endedAt) < RECENT_MS;
}

/** What models were asked for the step, and what they said, where that is recorded. */
export function StepModelCalls({ planId, calls }: { planId: string; calls: readonly ModelCall[] }) {
  const isRecorded = calls.some(({ messages }) => messages !== undefined);
  return (
    <>
      <ol className={styles.turns}>
        {calls.slice(0, CALLS_SHOWN).map((call, index) => (
          <Call key={call.spanId} planId={planId} call={call} number={index + 1} />
        ))}
      </ol>
      {calls.length > CALLS_SHOWN && <p className="soft">{COMMON.andMore(calls.length - CALLS_SHOWN)}</p>}
      {!isRecorded && (
        <p className="soft">
          {STEP_MODEL_CALLS.notRecorded} <code className={styles.wrap}>{STEP_MODEL_CALLS.setting}</code>{" "}
          {STEP_MODEL_CALLS.toRecord}
        </p>
      )}
    </>
  );
}

function Call({ planId, call, number }: { planId: string; call: ModelCall; number: number }) {
  const { model, prompt, agent, inputTokens, outputTokens, costUsd, durationMs, failed, messages } = call;
  return (
    <li>
      <details data-testid="model-call">
        <summary>
          <span className={styles.turnNumber} data-part="turn-number">
            {number}
          </span>
          {failed && (
            <span className={`tone-bad ${styles.turnFault}`}>
              <Icon name="failed" size={13} />
              <span className="visually-hidden">{STEP_MODEL_CALLS.failed} </span>
            </span>
          )}
          <code>{model}</code>
          <span className={styles.turnThought}>{prompt ?? agent}</span>
          <span className="soft">{formatDuration(durationMs)}</span>
        </summary>
        <div className={styles.turnDetails}>
          <p className={styles.attemptMore}>
            {agent !== undefined && <span>{STEP_MODEL_CALLS.requestedBy(agent)}</span>}
            {inputTokens !== undefined && (
              <span>{STEP_MODEL_CALLS.in(formatCount(inputTokens, "token"))}</span>
            )}
            {outputTokens !== undefined && (
              <span>{STEP_MODEL_CALLS.out(formatCount(outputTokens, "token"))}</span>
            )}
            {costUsd !== undefined && <span>{formatUsd(costUsd)}</span>}
            <Link href={`/plans/${planId}?tab=trace&span=${call.spanId}`}>{STEP_MODEL_CALLS.inTheTrace}</Link>
          </p>
          {messages?.map(({ role, text }, index) => (
            // The messages of one call keep their places.
            <div key={index}>
              <h4>{role}</h4>
              <Folded chars={text.length}>
                <pre className="text-block" tabIndex={0} aria-label={STEP_MODEL_CALLS.messageOf(role)}>
                  {text}
                </pre>
              </Folded>
            </div>
          ))}
        </div>
      </details>
    </li>
  );
}
