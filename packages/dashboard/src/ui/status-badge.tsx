/** A status as icon, word and colour: each alone is enough. */
import type { PlanStatus, StepStatus } from "../api/api-types.ts";
import { Icon, type IconName } from "./icons.tsx";

type Tone = "ok" | "run" | "bad" | "warn" | "idle";
type Look = { readonly label: string; readonly icon: IconName; readonly tone: Tone; readonly spin?: boolean };

const LOOKS: Readonly<Record<PlanStatus | StepStatus, Look>> = {
  scheduled: { label: "Starts later", icon: "clock", tone: "idle" },
  planning: { label: "Planning", icon: "planning", tone: "run" },
  "awaiting-approval": { label: "Awaiting approval", icon: "approval", tone: "warn" },
  queued: { label: "Queued", icon: "queued", tone: "idle" },
  running: { label: "Running", icon: "running", tone: "run", spin: true },
  paused: { label: "Paused", icon: "paused", tone: "warn" },
  compensating: { label: "Undoing", icon: "undo", tone: "warn" },
  reflecting: { label: "Reflecting", icon: "reviewing", tone: "run" },
  reviewing: { label: "Reviewing", icon: "reviewing", tone: "run" },
  waiting: { label: "Waiting", icon: "waiting", tone: "idle" },
  succeeded: { label: "Succeeded", icon: "succeeded", tone: "ok" },
  failed: { label: "Failed", icon: "failed", tone: "bad" },
  skipped: { label: "Skipped", icon: "skipped", tone: "warn" },
  cancelled: { label: "Cancelled", icon: "cancelled", tone: "idle" },
};

/** A status that a newer gateway may know and this page does not. */
function unknownLook(status: string): Look {
  return { label: status, icon: "info", tone: "idle" };
}

export function lookOf(status: PlanStatus | StepStatus): Look {
  return Object.hasOwn(LOOKS, status) ? LOOKS[status] : unknownLook(status);
}

type Props = {
  readonly status: PlanStatus | StepStatus;
  readonly plain?: boolean;
  /** It has come to its end, but with a part of what was wanted. */
  readonly inPart?: boolean;
};

const IN_PART: Look = { label: "Succeeded in part", icon: "alert", tone: "warn" };

export function StatusBadge({ status, plain = false, inPart = false }: Props) {
  const { label, icon, tone, spin = false } = inPart && status === "succeeded" ? IN_PART : lookOf(status);
  return (
    <span className={`badge tone-${tone}${plain ? " badge-plain" : ""}`} data-status={status}>
      <Icon name={icon} size={14} spin={spin} />
      {label}
    </span>
  );
}
