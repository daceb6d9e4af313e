/** A step's inputs: each argument with its resolved value, its source, and whether a reviewer edited it. */
import type { ApprovalView } from "./approval-view.ts";
import { displayedArguments, type Origin } from "../arguments/displayed-arguments.ts";
import type { StepOutput } from "../events/values.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { PlanView } from "./plan-view.ts";
import type { StepView } from "./step-view.ts";

export type StepInput = {
  readonly name: string;
  /** The planned value; absent if a reviewer added the argument. */
  readonly planned?: Json;
  /** The value that the tool receives, as far as it is known; absent if a reviewer removed the argument. */
  readonly value?: Json;
  /** Empty for a literal value of the plan. */
  readonly origins: readonly Origin[];
  /** The reviewer who changed it. */
  readonly editedBy?: string;
};

type Of = Pick<PlanView, "steps" | "approvals">;

/** @param item - For a step that runs for each item of a list: the item and its position. */
export function stepInputs(
  view: Of,
  step: Pick<StepView, "id" | "args">,
  item?: { readonly item: number; readonly value?: Json | undefined },
): StepInput[] {
  const outputs = outputsOf(view);
  const runsFor = item?.value === undefined ? undefined : { value: item.value };
  const inputs = Object.entries(step.args).map(([name, planned]): StepInput => {
    const { resolved, origins } = displayedArguments(planned, (id) => outputs.get(id), runsFor);
    return { name, planned, value: resolved, origins };
  });
  const approval = approvalOf(view, step, item?.item);
  return approval === undefined ? inputs : withApproved(inputs, approval);
}

/** The latest decision that allowed the step itself, not a call of its loop. */
function approvalOf({ approvals }: Of, { id }: Pick<StepView, "id">, item = 0): ApprovalView | undefined {
  return approvals.findLast(
    ({ stepId, decision, kind, undo, args, ...about }) =>
      stepId === id &&
      (about.item ?? 0) === item &&
      decision === "approve" &&
      (kind === "tool-risk" || kind === "confidence") &&
      undo === undefined &&
      args !== undefined &&
      !about.approvalId.startsWith("call-"),
  );
}

/** The approved arguments, which are exactly those that run, including a reviewer's edits. */
function withApproved(
  inputs: readonly StepInput[],
  { args = {}, edits, decidedBy }: ApprovalView,
): StepInput[] {
  const runs: JsonObject = edits ?? args;
  const planned = new Map(inputs.map((input) => [input.name, input]));
  const names = new Set([...planned.keys(), ...Object.keys(runs)]);
  return [...names].map((name) => {
    const { value: _value, ...input } = planned.get(name) ?? { name, origins: [] };
    const isEdited = edits !== undefined && JSON.stringify(edits[name]) !== JSON.stringify(args[name]);
    return {
      ...input,
      ...(Object.hasOwn(runs, name) ? { value: runs[name] ?? null } : {}),
      ...(isEdited ? { editedBy: decidedBy ?? "a person" } : {}),
    };
  });
}

/** The output that a reference to each step resolves to: its fallback's when that replaced it, null when it was skipped. */
function outputsOf({ steps }: Of): Map<string, StepOutput> {
  const byId = new Map(steps.map((step) => [String(step.id), step]));
  return new Map(
    steps.flatMap((step) => {
      const giver = step.replacedBy === undefined ? step : (byId.get(step.replacedBy) ?? step);
      const output = giver.notNeeded === true ? { value: null } : giver.output;
      return output === undefined ? [] : [[String(step.id), output] as const];
    }),
  );
}
