import { timeLeftMs } from "@planwright/plan/time-left";
import type { PlanView, StepStatus } from "../api/api-types.ts";
import { Ticking } from "../clock/ticking.tsx";
import { formatCount, formatLeft } from "../ui/format.ts";
import { lookOf } from "../ui/status-badge.tsx";

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

/** The share of steps in each status, the percentage, and the time that is expected to be left. */
export function PlanProgress({ view }: { view: PlanView }) {
  const { done, total, percent } = view.progress;
  const byStatus = Map.groupBy(view.steps, (step) => step.status);
  const present = ORDER.filter((status) => byStatus.has(status));
  const succeeded = byStatus.get("succeeded")?.length ?? 0;
  const open = !view.ended;
  return (
    <div className="progress">
      <div
        className="progress-bar"
        role="progressbar"
        aria-label="Plan progress"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
        data-busy={open && total === 0}
      >
        {present.map((status) => (
          <span
            key={status}
            className={`tone-${lookOf(status).tone}`}
            data-status={status}
            style={{ flexGrow: byStatus.get(status)?.length ?? 0 }}
          />
        ))}
      </div>
      <p className="progress-words">
        <strong>{percent} %</strong>
        <span>
          {open
            ? `${done.toLocaleString("en")} of ${formatCount(total, "step")}`
            : `${succeeded.toLocaleString("en")} of ${formatCount(view.steps.length, "step")} succeeded`}
        </span>
        {present
          .filter((status) => status !== "succeeded" && status !== "waiting")
          .map((status) => (
            <span key={status}>
              {byStatus.get(status)?.length.toLocaleString("en")} {lookOf(status).label.toLowerCase()}
            </span>
          ))}
        {open && <Ticking className="progress-left" textAt={(nowMs) => leftAt(view, nowMs)} />}
      </p>
    </div>
  );
}

function leftAt(view: PlanView, nowMs: number): string {
  const leftMs = timeLeftMs(view, nowMs);
  return leftMs === null ? "" : formatLeft(leftMs);
}
