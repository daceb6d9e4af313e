import type { PlanView, StepView } from "../api/api-types.ts";
import { RowChanges } from "../approvals/row-changes.tsx";
import { formatCount, formatDateTime } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import type { Program } from "./programs-of.ts";
import styles from "./code.module.css";

type Said = {
  readonly icon: IconName;
  readonly tone: "ok" | "run" | "bad" | "warn" | "idle";
  readonly words: string;
  readonly more?: string | undefined;
};

/** The rows that a program changes, before and after, and whether they have been changed. */
export function Applied({ view, program }: { view: PlanView; program: Program }) {
  const { changes, apply, changesEditedBy } = program;
  const said = saidOf(program);
  const effects = view.effects.filter(({ stepId }) => stepId === apply?.id);
  return (
    <>
      <h4>Rows before and after</h4>
      <p className={`${styles.applied} tone-${said.tone}`}>
        <Icon name={said.icon} size={15} />
        <strong>{said.words}</strong>
        {said.more !== undefined && <span>{said.more}</span>}
      </p>
      {changesEditedBy !== undefined && <p className="soft">As changed by {changesEditedBy}.</p>}
      {changes.length > 0 && <RowChanges changes={changes} />}
      {effects.map(({ key, status, at, by, attempt }) => (
        <p key={`${key} ${attempt} ${status}`} className="soft">
          Effect <code>{key}</code>: {status} at {formatDateTime(at)}, by {by}
        </p>
      ))}
    </>
  );
}

function saidOf({ step, apply, changes }: Program): Said {
  if (apply === undefined) {
    return { icon: "info", tone: "idle", words: "Read-only: no data changes." };
  }
  const rows = formatCount(changes.length, "row");
  switch (apply.status) {
    case "succeeded":
      return { icon: "succeeded", tone: "ok", words: `Applied: ${rows}`, more: whenOf(apply) };
    case "running":
    case "reviewing":
      return { icon: "running", tone: "run", words: `Applying: ${rows}` };
    case "awaiting-approval":
      return { icon: "approval", tone: "warn", words: `Not applied: ${rows} waiting for approval` };
    case "queued":
    case "waiting":
      return step.status === "failed"
        ? { icon: "skipped", tone: "idle", words: "Not applied" }
        : { icon: "waiting", tone: "idle", words: "Not applied yet" };
    case "failed":
      return failureOf(apply);
    case "skipped":
    case "cancelled":
      return { icon: "skipped", tone: "idle", words: "Not applied", more: apply.reason };
    default:
      apply.status satisfies never;
      return { icon: "info", tone: "idle", words: apply.status };
  }
}

function failureOf({ error }: StepView): Said {
  const words =
    error?.code === "data_conflict"
      ? "Conflict: the rows have changed; nothing was applied"
      : error?.code === "approval_rejected"
        ? "Rejected: nothing was applied"
        : "Not applied";
  return { icon: "failed", tone: "bad", words, more: error?.message };
}

function whenOf({ endedAt }: StepView): string | undefined {
  return endedAt === undefined ? undefined : formatDateTime(endedAt);
}
