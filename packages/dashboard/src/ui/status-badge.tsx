/** A status as icon, text and colour: each is sufficient alone. */
import { statusLabel } from "@planwright/plan/status-label";
import type { AnswerStatus, PlanStatus, StepStatus, StepView, ToolSpec } from "../api/api-types.ts";
import { capitalized } from "./format.ts";
import { Icon, type IconName } from "./icons.tsx";
import { RISK_BADGE, STATUS_BADGE } from "./ui-words.ts";

const TONES: Readonly<Record<Risk, string>> = { low: "ok", medium: "warn", high: "bad" };

type Tone = "ok" | "run" | "bad" | "warn" | "idle";
type Look = { readonly label: string; readonly icon: IconName; readonly tone: Tone; readonly spin?: boolean };

const LOOKS: Readonly<Record<PlanStatus | StepStatus, Look>> = {
  scheduled: { label: STATUS_BADGE.startsLater, icon: "clock", tone: "idle" },
  planning: { label: STATUS_BADGE.planning, icon: "planning", tone: "run" },
  "awaiting-approval": { label: STATUS_BADGE.waitingForApproval, icon: "approval", tone: "warn" },
  queued: { label: STATUS_BADGE.queued, icon: "queued", tone: "idle" },
  running: { label: STATUS_BADGE.running, icon: "running", tone: "run", spin: true },
  paused: { label: STATUS_BADGE.paused, icon: "paused", tone: "warn" },
  compensating: { label: STATUS_BADGE.compensating, icon: "undo", tone: "warn" },
  reflecting: { label: STATUS_BADGE.reflecting, icon: "reviewing", tone: "run" },
  reviewing: { label: STATUS_BADGE.reviewing, icon: "reviewing", tone: "run" },
  waiting: { label: STATUS_BADGE.waiting, icon: "waiting", tone: "idle" },
  succeeded: { label: STATUS_BADGE.succeeded, icon: "succeeded", tone: "ok" },
  partial: { label: STATUS_BADGE.partiallySucceeded, icon: "alert", tone: "warn" },
  failed: { label: STATUS_BADGE.failed, icon: "failed", tone: "bad" },
  skipped: { label: STATUS_BADGE.skipped, icon: "skipped", tone: "warn" },
  cancelled: { label: STATUS_BADGE.cancelled, icon: "cancelled", tone: "idle" },
};

/** A status that a newer gateway knows and this page does not. */
function unknownLook(status: string): Look {
  return { label: status, icon: "info", tone: "idle" };
}

export function lookOf(status: PlanStatus | StepStatus): Look {
  return Object.hasOwn(LOOKS, status) ? LOOKS[status] : unknownLook(status);
}

/** The look of a plan's status, which also shows when a succeeded plan has only a partial answer or none. */
export function lookOfPlan(status: PlanStatus, answer: AnswerStatus | undefined): Look {
  const look = lookOf(status);
  const label = statusLabel(status, answer);
  if (status !== "succeeded" || label === status) return look;
  return { label: capitalized(label), icon: "alert", tone: "warn" };
}

/** Why a succeeded step has delivered less than planned; undefined when nothing is missing. */
export function incompleteness({
  partial,
  failedItems = 0,
  truncated,
}: Pick<StepView, "partial" | "failedItems" | "truncated">): string | undefined {
  if (partial !== undefined) return partial;
  if (failedItems > 0) return STATUS_BADGE.itemsFailed(failedItems);
  return truncated === true ? STATUS_BADGE.lengthLimit : undefined;
}

type ShownStep = Pick<StepView, "status" | "partial" | "failedItems" | "truncated">;

export function lookOfStep(step: ShownStep): Look {
  const isPart = step.status === "succeeded" && incompleteness(step) !== undefined;
  return lookOf(isPart ? "partial" : step.status);
}

export function StepStatusBadge({
  step,
  plain = false,
}: {
  readonly step: ShownStep;
  readonly plain?: boolean;
}) {
  return <Badge status={step.status} look={lookOfStep(step)} plain={plain} />;
}

type Props = {
  readonly status: PlanStatus | StepStatus;
  readonly plain?: boolean;
};

export function StatusBadge({ status, plain = false }: Props) {
  return <Badge status={status} look={lookOf(status)} plain={plain} />;
}

/** @param answer - The status of the plan's answer, once there is one. */
export function PlanStatusBadge({
  status,
  answer,
  plain = false,
}: {
  readonly status: PlanStatus;
  readonly answer: AnswerStatus | undefined;
  readonly plain?: boolean;
}) {
  return <Badge status={status} look={lookOfPlan(status, answer)} plain={plain} />;
}

type BadgeProps = { readonly status: string; readonly look: Look; readonly plain: boolean };

function Badge({ status, look: { label, icon, tone, spin = false }, plain }: BadgeProps) {
  return (
    <span className={`badge tone-${tone}${plain ? " badge-plain" : ""}`} data-status={status}>
      <Icon name={icon} size={14} spin={spin} />
      {label}
    </span>
  );
}

type Risk = ToolSpec["risk"];

export function RiskBadge({ risk }: { risk: Risk }) {
  return <span className={`badge tone-${TONES[risk]}`}>{RISK_BADGE.risk(risk)}</span>;
}
