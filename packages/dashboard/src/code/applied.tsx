import type { PlanView, StepView } from "../api/api-types.ts";
import { RowChanges } from "../approvals/row-changes.tsx";
import { formatCount, formatDateTime } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import type { Program } from "./programs-of.ts";
import { APPLIED } from "./code-words.ts";
import { Title } from "./program-parts.tsx";

type Said = {
  readonly icon: IconName;
  readonly tone: "ok" | "run" | "bad" | "warn" | "idle";
  readonly words: string;
  readonly more?: string | undefined;
};

/** The rows that a program changes, before and after, and whether the changes were applied. */
export function Applied({ view, program }: { view: PlanView; program: Program }) {
  const { changes, apply, changesEditedBy } = program;
  const said = saidOf(program);
  const effects = view.effects.filter(({ stepId }) => stepId === apply?.id);
  return (
    <>
      <Title>{APPLIED.rowsBeforeAndAfter}</Title>
      <p className={`flex flex-wrap items-center gap-x-2 gap-y-1 text-sm tone-${said.tone}`}>
        <Icon className="text-tone" name={said.icon} size={15} />
        <strong className="text-tone">{said.words}</strong>
        {said.more !== undefined && <span>{said.more}</span>}
      </p>
      {changesEditedBy !== undefined && <p className="soft">{APPLIED.editedBy(changesEditedBy)}</p>}
      {changes.length > 0 && <RowChanges changes={changes} />}
      {effects.map(({ key, status, at, by, attempt }) => (
        <p key={`${key} ${attempt} ${status}`} className="soft">
          {APPLIED.effect} <code>{key}</code>
          {APPLIED.atBy(status, formatDateTime(at), by)}
        </p>
      ))}
    </>
  );
}

function saidOf({ step, apply, changes }: Program): Said {
  if (apply === undefined) {
    return { icon: "info", tone: "idle", words: APPLIED.readOnly };
  }
  const rows = formatCount(changes.length, "row");
  switch (apply.status) {
    case "succeeded":
      return { icon: "succeeded", tone: "ok", words: APPLIED.applied(rows), more: whenOf(apply) };
    case "running":
    case "reviewing":
      return { icon: "running", tone: "run", words: APPLIED.applying(rows) };
    case "awaiting-approval":
      return { icon: "approval", tone: "warn", words: APPLIED.waitingForApproval(rows) };
    case "queued":
    case "waiting":
      return step.status === "failed"
        ? { icon: "skipped", tone: "idle", words: APPLIED.notApplied }
        : { icon: "waiting", tone: "idle", words: APPLIED.notAppliedYet };
    case "failed":
      return failureOf(apply);
    case "skipped":
    case "cancelled":
      return { icon: "skipped", tone: "idle", words: APPLIED.notApplied, more: apply.reason };
    default:
      apply.status satisfies never;
      return { icon: "info", tone: "idle", words: apply.status };
  }
}

function failureOf({ error }: StepView): Said {
  const words =
    error?.code === "data_conflict"
      ? APPLIED.conflict
      : error?.code === "approval_rejected"
        ? APPLIED.rejected
        : APPLIED.notApplied;
  return { icon: "failed", tone: "bad", words, more: error?.message };
}

function whenOf({ endedAt }: StepView): string | undefined {
  return endedAt === undefined ? undefined : formatDateTime(endedAt);
}
