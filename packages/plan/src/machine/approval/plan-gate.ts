/** Approval of whole plans: no step of a draft runs before a user has approved the draft, unchanged or edited. */
import type { StepsBeside } from "../../check/plan-rules.ts";
import type { Approval, KnownPlan, NextPlan, StepEntry } from "../plan-state.ts";
import { isLargeDraft, waitsAsPlan } from "./approval-gates.ts";
import type { StepId } from "../../values/ids.ts";
import { onlySink } from "../../language/only-sink.ts";
import type { PlanDocument, Step } from "../../language/plan-language.ts";
import { conclude } from "../ending/conclusion.ts";
import { withGrants } from "../step/grants.ts";
import { beginHeldItems } from "../step/item-transitions.ts";
import { isLost } from "../links/standing.ts";
import { addSteps } from "../step/add-steps.ts";
import { untieSteps } from "../links/ties.ts";
import { isGated, releaseHeld, dropHeld } from "../step/step-transitions.ts";
import { replaceSteps } from "../step/stop-transitions.ts";
import { openGate, closeGate } from "./open-gate.ts";
import { stopPlan } from "../stop-plan.ts";
import { answerBy } from "../drafting/described-plan.ts";
import { putRun, removeStep } from "../step/runs.ts";
import type { Json, JsonObject } from "../../values/json.ts";
import { isObject } from "../../values/json-guards.ts";

type Decided = NonNullable<Approval["decided"]>;

/**
 * Holds the steps of the draft, and of the drafts from `first` on. An earlier request that is still open is replaced by
 * a new one that covers its steps too.
 */
export function openPlanGate(next: NextPlan, draft: number, first: number = draft): void {
  const from = openGate(next)?.from ?? first;
  next.planGate = { approvalId: `plan-${draft}`, from, to: draft };
}

/** Requests approval of a complete draft if the policy requires it, together with everything not yet decided. */
export function gateDraft(next: NextPlan, draft: number): void {
  const pending = openGate(next);
  // No step of an improved draft has run, so the request also covers the steps that it keeps from the draft before.
  const first = next.drafting.cause === "critique" ? 1 : draft;
  const { goal, confidence } = next;
  const isLarge = isLargeDraft(goal, stepsOfDrafts(next, first));
  if (pending === undefined && !isLarge && !waitsAsPlan(goal, confidence)) return;
  openPlanGate(next, draft, first);
  if (gatedSteps(next).length > 0 || next.steps.some((entry) => waitsWithItems(next, entry))) return;
  // No step is left that could run, so there is nothing to approve.
  closeGate(next);
}

/**
 * Returns how many steps the drafts from `first` on have planned, without cancelled ones. Steps of a submitted plan do
 * not count.
 */
export function stepsOfDrafts(plan: KnownPlan, first: number): number {
  const from = Math.max(1, first);
  return plan.steps.count(({ draft, state }) => draft >= from && state.status !== "cancelled");
}

/** Returns the steps that the approval request covers, in the order of planning. */
export function gatedSteps(plan: KnownPlan): StepEntry[] {
  const gated = [...plan.steps.values()].filter(
    ({ draft, state }) => isGated(plan, draft) && !hasBegun(state),
  );
  return gated.sort((left, right) => left.position - right.position);
}

/** Whether a step has ended, or started before its draft was complete. Such a step cannot be changed any more. */
function hasBegun(state: StepEntry["state"]): boolean {
  if (state.status === "waiting") return state.attempt > 1;
  return true;
}

/**
 * Whether a step's list is known, but none of its items can start before the plan is approved. Its items are in the
 * log, so the step cannot be changed any more.
 */
function waitsWithItems(plan: KnownPlan, { draft, state }: StepEntry): boolean {
  return isGated(plan, draft) && state.status === "repeating" && state.items > 0 && state.begun === 0;
}

/** Returns the other steps of the plan, which a reviewer's edited steps can refer to. */
export function stepsBeside(plan: KnownPlan): StepsBeside {
  const others = [...plan.steps.values()].filter(
    ({ draft, state }) => !isGated(plan, draft) || hasBegun(state),
  );
  const usable = others.filter((entry) => !isLost(entry));
  return { usable: idsOf(usable), taken: idsOf(others) };
}

function idsOf(entries: readonly StepEntry[]): ReadonlySet<string> {
  return new Set(entries.map(({ step }) => step.id));
}

/** Returns false for edits that are not a plan; no gateway stores such edits. */
export function decidePlan(next: NextPlan, decided: Decided): boolean {
  if (decided.decision === "reject") {
    const { by, reason } = decided;
    const why = `the plan was rejected by ${by}${reason === undefined ? "" : `: ${reason}`}`;
    stopPlan(next, why);
    conclude(next, { ending: "cancelled", reason: why, answerRecorded: true });
    return true;
  }
  if (decided.edits !== undefined) {
    const edited = editedPlan(decided.edits);
    if (edited === undefined) return false;
    replan(next, edited, decided);
  }
  closeGate(next);
  beginHeldItems(next);
  releaseHeld(next);
  return true;
}

/**
 * Replaces the steps under approval with the reviewer's. Steps that have settled meanwhile, and all steps of approved
 * drafts, are kept.
 */
function replan(
  next: NextPlan,
  plan: Pick<PlanDocument, "steps" | "answerFrom">,
  { by, grants = {} }: Decided,
): void {
  const { from, to } = next.planGate ?? { from: 0, to: 0 };
  const gated = new Map(gatedSteps(next).map((entry) => [entry.step.id, entry]));
  const wanted = new Set(plan.steps.map(({ id }) => id));
  for (const id of wanted) if (gated.has(id)) remove(next, gated, id);
  untieSteps(next, gated);
  dropHeld(next, (id) => gated.has(id));
  replaceSteps(next, `removed by ${by}`, ({ step }) => gated.has(step.id));
  addSteps(
    next,
    plan.steps.map((step) => withGrants(grants, step)),
    to,
  );
  const answerFrom = plan.answerFrom ?? (from === 0 ? onlySink(plan.steps) : undefined);
  answerBy(next, answerFrom);
}

function remove(next: NextPlan, gated: ReadonlyMap<StepId, StepEntry>, id: StepId): void {
  for (const dependency of gated.get(id)?.dependencies ?? []) {
    const entry = next.steps.get(dependency);
    if (entry === undefined) continue;
    const dependents = entry.dependents.filter((dependent) => dependent !== id);
    putRun(next, { ...entry, dependents });
  }
  removeStep(next, id);
}

type Check = (value: Json | undefined) => boolean;
const isText: Check = (value) => typeof value === "string";
const isNumber: Check = (value) => typeof value === "number";

const FIELDS: Readonly<Record<keyof Step, Check>> = {
  id: isText,
  description: isText,
  tool: isText,
  args: isObject,
  dependsOn: (value) => Array.isArray(value) && value.every(isText),
  when: isText,
  forEach: (value) => Array.isArray(value) || (isObject(value) && isText(value["$ref"])),
  verifies: isText,
  fallback: isText,
  successCriteria: isText,
  expectedOutput: isText,
  review: isObject,
  compensate: (value) => isObject(value) && isText(value["tool"]) && isObject(value["args"]),
  agent: isText,
  model: isText,
  timeoutMs: isNumber,
  retry: isObject,
  confidence: isNumber,
};

/**
 * Returns the plan in a reviewer's edits, or undefined if they are no plan.
 *
 * The gateway checked the plan against its schema before it stored the decision. This checks only what the state
 * machine relies on, because pages fold logs without schemas.
 */
function editedPlan({
  steps,
  answerFrom,
}: JsonObject): Pick<PlanDocument, "steps" | "answerFrom"> | undefined {
  if (!Array.isArray(steps) || steps.length === 0 || !(answerFrom === undefined || isText(answerFrom)))
    return undefined;
  const planned = steps.flatMap((step) => stepIn(step) ?? []);
  return planned.length === steps.length
    ? { steps: planned, answerFrom: answerFrom as Step["id"] | undefined }
    : undefined;
}

function stepIn(value: Json): Step | undefined {
  if (!isObject(value) || !isText(value["id"]) || !isText(value["tool"])) return undefined;
  const step = { description: "", args: {}, dependsOn: [], ...value };
  const checks: Readonly<Record<string, Check>> = FIELDS;
  const isStep = Object.entries(step).every(([name, one]) => checks[name]?.(one) === true);
  return isStep ? (step as unknown as Step) : undefined;
}
