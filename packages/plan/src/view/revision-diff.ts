/**
 * The changes of a revision, step by step and field by field, and who requested it. Pure and without schemas, so that the
 * dashboard can use it.
 */
import type { PlanEvent } from "../events/plan-event.ts";
import type { StepId } from "../values/ids.ts";
import type { Json } from "../values/json.ts";
import type { Step } from "../language/plan-language.ts";
import type { PlanView } from "./plan-view.ts";
import { PLANNED_FIELDS } from "../language/planned-fields.ts";
import type { RevisionView } from "./revision-view.ts";

export type FieldChange = {
  readonly field: string;
  /** Absent if the field is new. */
  readonly before?: Json;
  /** Absent if the field was removed. */
  readonly after?: Json;
};

/** A step that replaces another, and its changed fields. */
export type StepChange = {
  readonly before: Step;
  readonly after: Step;
  readonly fields: readonly FieldChange[];
};

export type PlanDiff = {
  readonly added: readonly Step[];
  readonly removed: readonly Step[];
  readonly changed: readonly StepChange[];
  readonly kept: readonly Step[];
};

/** The suffix of a new step that was renamed because an earlier step has its name: `sum-d2`, `sum-d2-2`. */
const OF_LATER_DRAFT = /-d\d+(?:-\d+)?$/;

/** The changes of a revision. Steps that are not in the view are left out. */
export function revisionDiff({ steps }: Pick<PlanView, "steps">, revision: RevisionView): PlanDiff {
  const byId = new Map<string, Step>(steps.map((step) => [step.id, step]));
  const find = (ids: readonly StepId[]): Step[] => ids.flatMap((id) => byId.get(id) ?? []);
  return { ...stepsDiff(find(revision.dropped), find(revision.added)), kept: find(revision.kept) };
}

/** The edits that a reviewer made to a plan, or to a revision, before approving it. */
export type PlanEdit = {
  readonly approvalId: string;
  readonly by: string;
  readonly at: string;
  readonly reason?: string;
  readonly diff: PlanDiff;
};

/** @param events - The plan's events: only they contain the original of a step that a reviewer removed or moved. */
export function planEdits(
  { steps, approvals }: Pick<PlanView, "steps" | "approvals">,
  events: Iterable<PlanEvent>,
): PlanEdit[] {
  const edited = approvals.filter(isPlanEdit);
  if (edited.length === 0) return [];
  const byDraft = plannedSteps(events);
  return edited.map(({ approvalId, details, edits, decidedBy = "", decidedAt = "", reason }) => {
    const wanted = new Set(idsIn(edits?.["steps"]));
    const { added, removed, changed } = stepsDiff(
      byDraft.get(Number(details?.["draft"])) ?? [],
      steps.filter(({ id }) => wanted.has(id)),
    );
    const isOther = ({ before, after, fields }: StepChange) => before.id !== after.id || fields.length > 0;
    const diff = {
      added,
      removed,
      changed: changed.filter(isOther),
      kept: changed.filter((change) => !isOther(change)).map(({ after }) => after),
    };
    return { approvalId, by: decidedBy, at: decidedAt, ...(reason === undefined ? {} : { reason }), diff };
  });
}

/** Whether a reviewer approved a plan, or a revision, with edits. */
export function isPlanEdit({ kind, decision, edits }: PlanView["approvals"][number]): boolean {
  return kind === "plan" && decision === "approve" && edits !== undefined;
}

function plannedSteps(events: Iterable<PlanEvent>): Map<number, readonly Step[]> {
  const byDraft = new Map<number, Step[]>();
  for (const event of events) {
    if (event.type === "goal.submitted") byDraft.set(0, event.data.plan?.steps ?? []);
    if (event.type !== "step.planned") continue;
    const { draft, step } = event.data;
    const steps = byDraft.get(draft);
    if (steps === undefined) byDraft.set(draft, [step]);
    else steps.push(step);
  }
  return byDraft;
}

function idsIn(steps: Json | undefined): string[] {
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step) =>
    typeof step === "object" && step !== null && !Array.isArray(step) && typeof step["id"] === "string"
      ? [step["id"]]
      : [],
  );
}

/** A removed step and an added step count as one changed step if they have the same id, or else the same description and tool. */
function stepsDiff(before: readonly Step[], after: readonly Step[]): Omit<PlanDiff, "kept"> {
  const removed = new Set(before);
  const added = new Set(after);
  const changed: StepChange[] = [];
  for (const isSame of [haveOneName, sayTheSame]) {
    for (const fresh of added) {
      const old = [...removed].find((candidate) => isSame(candidate, fresh));
      if (old === undefined) continue;
      removed.delete(old);
      added.delete(fresh);
      changed.push({ before: old, after: fresh, fields: changesOf(old, fresh) });
    }
  }
  return { added: [...added], removed: [...removed], changed };
}

/** Who or what requested a revision, and the step that caused it. */
export type RevisionAsker = {
  readonly kind: "joiner" | "step" | "judge" | "person" | "plan" | "critic";
  /** The name of a person. */
  readonly name?: string;
  readonly stepId?: StepId;
};

export function whoAsked(
  { approvals }: Pick<PlanView, "approvals">,
  { cause, causedBy }: Pick<RevisionView, "cause" | "causedBy">,
): RevisionAsker {
  const about = causedBy === undefined ? {} : { stepId: causedBy };
  switch (cause) {
    case "results":
      return { kind: "joiner" };
    case "wave":
      return { kind: "plan" };
    case "review":
      return { kind: "critic" };
    case "expectation":
      return { kind: "judge", ...about };
    case "failure":
    case "verification":
    case "requires_replan":
      return { kind: "step", ...about };
    case "rejection": {
      const refused = approvals.findLast(
        ({ stepId, decision }) => stepId === causedBy && decision === "reject",
      );
      return { kind: "person", ...about, ...(refused?.decidedBy ? { name: refused.decidedBy } : {}) };
    }
    default:
      cause satisfies never;
      return { kind: "plan", ...about };
  }
}

function haveOneName(before: Step, after: Step): boolean {
  return nameOf(before) === nameOf(after);
}

function nameOf({ id }: Step): string {
  return id.replace(OF_LATER_DRAFT, "");
}

function sayTheSame(before: Step, after: Step): boolean {
  return before.description !== "" && before.description === after.description && before.tool === after.tool;
}

function changesOf(before: Step, after: Step): FieldChange[] {
  return PLANNED_FIELDS.flatMap((field) => {
    const [old, fresh] = [before[field], after[field]] as [Json | undefined, Json | undefined];
    if (JSON.stringify(old) === JSON.stringify(fresh)) return [];
    return [
      {
        field,
        ...(old === undefined ? {} : { before: old }),
        ...(fresh === undefined ? {} : { after: fresh }),
      },
    ];
  });
}
