/**
 * What a revision changed, step by step and field by field, and who asked for it. Pure and without schemas, so that a
 * page may use it.
 */
import type { StepId } from "./ids.ts";
import type { Json } from "./json.ts";
import type { PlanView } from "./plan-view.ts";
import type { RevisionView } from "./revision-view.ts";
import type { StepView } from "./step-view.ts";

export type FieldChange = {
  readonly field: string;
  /** Absent when the step did not say it before. */
  readonly before?: Json;
  /** Absent when the step says it no more. */
  readonly after?: Json;
};

/** A step that has another one's place, and what is different about it. */
export type StepChange = {
  readonly before: StepView;
  readonly after: StepView;
  readonly fields: readonly FieldChange[];
};

export type RevisionDiff = {
  readonly added: readonly StepView[];
  readonly removed: readonly StepView[];
  readonly changed: readonly StepChange[];
  readonly kept: readonly StepView[];
};

/** What of a step is planned and not what became of it; in the order in which changes are told. */
const FIELDS = [
  "description",
  "tool",
  "args",
  "dependsOn",
  "when",
  "forEach",
  "verifies",
  "fallback",
  "compensate",
  "successCriteria",
  "expectedOutput",
  "review",
  "agent",
  "model",
  "timeoutMs",
  "retry",
  "confidence",
] as const satisfies readonly (keyof StepView)[];

/** A new step that has the name of one before it gets a name of its own: `sum-d2`, `sum-d2-2`. */
const OF_LATER_DRAFT = /-d\d+(?:-\d+)?$/;

/**
 * A step that was dropped and one that was added are one changed step when they have one name, or else the same
 * words and the same tool. Steps that the view does not hold are left out.
 */
export function revisionDiff({ steps }: Pick<PlanView, "steps">, revision: RevisionView): RevisionDiff {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const find = (ids: readonly StepId[]): StepView[] => ids.flatMap((id) => byId.get(id) ?? []);
  const removed = new Set(find(revision.dropped));
  const added = new Set(find(revision.added));
  const changed: StepChange[] = [];
  for (const isSame of [haveOneName, sayTheSame]) {
    for (const after of added) {
      const before = [...removed].find((candidate) => isSame(candidate, after));
      if (before === undefined) continue;
      removed.delete(before);
      added.delete(after);
      changed.push({ before, after, fields: changesOf(before, after) });
    }
  }
  return { added: [...added], removed: [...removed], changed, kept: find(revision.kept) };
}

/** Who gave cause for a revision, and the step that it was about. */
export type RevisionAsker = {
  readonly kind: "joiner" | "step" | "judge" | "person" | "plan" | "critic";
  /** Of a person. */
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
    case "critique":
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

function haveOneName(before: StepView, after: StepView): boolean {
  return nameOf(before) === nameOf(after);
}

function nameOf({ id }: StepView): string {
  return id.replace(OF_LATER_DRAFT, "");
}

function sayTheSame(before: StepView, after: StepView): boolean {
  return before.description !== "" && before.description === after.description && before.tool === after.tool;
}

function changesOf(before: StepView, after: StepView): FieldChange[] {
  return FIELDS.flatMap((field) => {
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
