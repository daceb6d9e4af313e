import { timeLeftMs } from "@planwright/plan/time-left";
import type { PlanView, StepStatus } from "../api/api-types.ts";
import { Ticking } from "../clock/ticking.tsx";
import { formatCount, formatLeft } from "../ui/format.ts";
import { lookOf } from "../ui/status-badge.tsx";
import { HEADER_WORDS, PLAN_PROGRESS } from "./header-words.ts";
import styles from "./plan-header.module.css";

/** From what is done to what is not, as the bar shows them from left to right. */
const ORDER: readonly StepStatus[] = [
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
  "running",
  "reviewing",
  "awaiting-approval",
  "queued",
  "waiting",
];

/** The share of steps in each status as a bar, and in words below it. */
export function PlanProgress({ view }: { view: PlanView }) {
  return (
    <div className={styles.progress}>
      <ProgressBar view={view} />
      <p className={styles.progressWords}>
        <ProgressWords view={view} />
      </p>
    </div>
  );
}

/** The share of steps in each status. */
export function ProgressBar({ view }: { view: PlanView }) {
  const { total, percent } = view.progress;
  const byStatus = Map.groupBy(view.steps, (step) => step.status);
  return (
    <div
      className={styles.progressBar}
      role="progressbar"
      aria-label={HEADER_WORDS.progress}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      data-busy={!view.ended && total === 0}
    >
      {presentIn(byStatus).map((status) => (
        <span
          key={status}
          className={`tone-${lookOf(status).tone}`}
          data-status={status}
          style={{ flexGrow: byStatus.get(status)?.length ?? 0 }}
        />
      ))}
    </div>
  );
}

/** The percentage, how many steps are in which status, and the time that is expected to be left. */
export function ProgressWords({ view }: { view: PlanView }) {
  const { done, total, percent } = view.progress;
  const byStatus = Map.groupBy(view.steps, (step) => step.status);
  const succeeded = byStatus.get("succeeded")?.length ?? 0;
  const open = !view.ended;
  return (
    <>
      <strong>{percent} %</strong>
      <span>
        {open
          ? PLAN_PROGRESS.of(done.toLocaleString("en"), formatCount(total, "step"))
          : PLAN_PROGRESS.ofSucceeded(succeeded.toLocaleString("en"), formatCount(view.steps.length, "step"))}
      </span>
      {presentIn(byStatus)
        .filter((status) => status !== "succeeded" && status !== "waiting")
        .map((status) => (
          <span key={status}>
            {byStatus.get(status)?.length.toLocaleString("en")} {lookOf(status).label.toLowerCase()}
          </span>
        ))}
      {open && <Ticking textAt={(nowMs) => leftAt(view, nowMs)} />}
    </>
  );
}

function presentIn(byStatus: ReadonlyMap<StepStatus, unknown>): StepStatus[] {
  return ORDER.filter((status) => byStatus.has(status));
}

function leftAt(view: PlanView, nowMs: number): string {
  const leftMs = timeLeftMs(view, nowMs);
  return leftMs === null ? "" : formatLeft(leftMs);
}
