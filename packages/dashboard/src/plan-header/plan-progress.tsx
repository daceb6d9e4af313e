import { timeLeftMs } from "@planwright/plan/time-left";
import clsx from "clsx";
import type { PlanView, StepStatus } from "../api/api-types.ts";
import { Ticking } from "../clock/ticking.tsx";
import { formatCount, formatLeft } from "../ui/format.ts";
import { lookOf } from "../ui/status-badge.tsx";
import { HEADER_WORDS, PLAN_PROGRESS } from "./header-words.ts";
import "./stripes.css";

/** From finished to not started, as the bar shows them from left to right. */
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

const GROUNDS: Partial<Readonly<Record<StepStatus, string>>> = {
  running: "bg-tone stripes animate-[var(--motion,stripes_0.9s_linear_infinite)]",
  queued: "bg-line-strong",
  waiting: "bg-line",
};

/** The share of steps in each status as a bar, and as text below it. */
export function PlanProgress({ view }: { view: PlanView }) {
  return (
    <div>
      <ProgressBar view={view} />
      <p className="mt-2 flex flex-wrap gap-x-3.5 gap-y-0.5 text-sm text-soft tabular-nums">
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
      className="flex h-2 gap-0.5 overflow-hidden rounded-full bg-line data-[busy=true]:animate-[shimmer_1.8s_ease-in-out_infinite] data-[busy=true]:bg-[linear-gradient(90deg,var(--border)_30%,var(--accent)_50%,var(--border)_70%)] data-[busy=true]:bg-size-[300%_100%] forced-colors:forced-color-adjust-none"
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
          className={clsx(
            `tone-${lookOf(status).tone}`,
            "min-w-0.5 basis-0 [transition:var(--motion,flex-grow_0.35s)]",
            GROUNDS[status] ?? "bg-tone",
          )}
          data-status={status}
          style={{ flexGrow: byStatus.get(status)?.length ?? 0 }}
        />
      ))}
    </div>
  );
}

/** The percentage, the number of steps in each status, and the estimated time left. */
export function ProgressWords({ view }: { view: PlanView }) {
  const { done, total, percent } = view.progress;
  const byStatus = Map.groupBy(view.steps, (step) => step.status);
  const succeeded = byStatus.get("succeeded")?.length ?? 0;
  const open = !view.ended;
  return (
    <>
      <strong className="text-ink">{percent}%</strong>
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
      {open && <Ticking className="empty:hidden" textAt={(nowMs) => leftAt(view, nowMs)} />}
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
