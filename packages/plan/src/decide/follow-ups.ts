/**
 * Follow-up steps: a worker continues directly with the next step when the step that it has just finished was the last
 * missing dependency. This saves a chain of quick steps the round trip through the dispatcher and the queue.
 * Dask calls it linear task fusion (docs.dask.org, "Optimization"); here each step keeps its own events.
 *
 * Only light steps are fused, and only for a short total time (see the executor's `follow-up-time.ts`): a step that waits
 * or runs for long goes back through the queue, so that a chain does not keep a slot from other plans. Fused steps only
 * read and have low risk: they may begin without approval, and may be run again after a crash.
 */
import type { StepOutput } from "../events/values.ts";
import { keepsFactsOf, PAYLOAD_BYTES_MAX } from "../facts/keeps-facts.ts";
import type { StepId } from "../values/ids.ts";
import { isOwnerTool } from "../language/tool-names.ts";
import { templatesOf } from "../arguments/own-words.ts";
import { agentOf, poolOf } from "../language/pool-of.ts";
import { findReferences } from "../language/references.ts";
import { isRefused } from "../policy/allowed-arguments.ts";
import { callOfStep } from "../policy/policy-call.ts";
import { resolveWithOutputs } from "../arguments/resolve-arguments.ts";
import { stepReviewOf } from "../machine/review/review-gates.ts";
import type { KnownPlan, StepEntry } from "../machine/plan-state.ts";
import { doubtAbout, isGated } from "../machine/step/step-transitions.ts";
import { resolvedOutput } from "../machine/links/standing.ts";
import type { FollowUp, KnownOutput, StepWork } from "../events/work.ts";
import { broughtBy, isSameAttempt } from "../machine/step/attempts.ts";

/** Maximum number of follow-ups in one work message. */
const FOLLOW_UPS_MAX = 32;
/** Maximum size of the arguments and outputs that the work message carries for them. */
const CHARS_MAX = 32_768;

export type FollowUps = {
  readonly followUps: FollowUp[];
  /** Outputs that they refer to and that are known already. */
  readonly outputs: KnownOutput[];
};

/**
 * Returns the follow-ups of a step that is about to be sent. Undefined when there are none, as with a budget, from which
 * each step needs its own allowance. Costs O(dependents) for each step.
 */
export function followUpsOf(plan: KnownPlan, first: StepEntry): FollowUps | undefined {
  if (plan.budget !== undefined || first.item !== undefined || !mayGoOnFrom(plan, first)) return undefined;
  const followUps: FollowUp[] = [];
  const outputs: KnownOutput[] = [];
  const before = new Set([first.step.id]);
  let room = CHARS_MAX;
  for (let last = first; followUps.length < FOLLOW_UPS_MAX; ) {
    const entry = followerOf(plan, last, poolOf(first));
    if (entry === undefined) break;
    const needed = outputsFor(plan, entry, before);
    const followUp = toFollowUp(plan, entry);
    room -= JSON.stringify([followUp, needed]).length;
    if (room < 0) break;
    followUps.push(followUp);
    outputs.push(...needed);
    before.add(entry.step.id);
    last = entry;
  }
  return followUps.length === 0 ? undefined : { followUps, outputs };
}

/** The dependent that waits for this step alone. Of several, the first: the others are sent as usual. */
export function followerOf(plan: KnownPlan, { dependents }: StepEntry, pool: string): StepEntry | undefined {
  for (const stepId of dependents) {
    const entry = plan.steps.get(stepId);
    if (entry?.unmet !== 1 || entry.state.status !== "waiting" || entry.state.attempt !== 1) continue;
    if (mayGoOnFrom(plan, entry) && mayFollow(plan, entry) && poolOf(entry) === pool) return entry;
  }
  return undefined;
}

/** Whether a step may begin without approval, and may be run again after a crash. */
export function mayGoOnFrom(plan: KnownPlan, entry: StepEntry): boolean {
  const { step, grant, approved, draft, verifiedBy } = entry;
  // Whether its output will be accepted is not known yet.
  if (verifiedBy !== undefined || step.verifies !== undefined || step.fallback !== undefined) return false;
  if (stepReviewOf(plan.goal, step, grant) !== undefined) return false;
  const isHarmless = grant.effect === "read" && grant.risk === "low" && !isOwnerTool(step.tool);
  // The dispatcher records the refusal in the log.
  if (isRefused(plan.goal, callOfStep(plan, entry))) return false;
  return (
    isHarmless && approved === undefined && doubtAbout(plan, entry) === undefined && !isGated(plan, draft)
  );
}

/** Only light steps may follow; not fallbacks, and no step that depends on one without its own output. */
function mayFollow({ steps, standIns }: KnownPlan, { step, grant, dependencies }: StepEntry): boolean {
  if (grant.light !== true || standIns.has(step.id)) return false;
  if (step.when !== undefined || step.forEach !== undefined) return false;
  return dependencies.every((dependency) => {
    const needed = steps.get(dependency);
    const isItself = needed?.state.status !== "skipped" && needed?.state.status !== "failed";
    return isItself && needed?.step.forEach === undefined;
  });
}

/** Outputs of finished steps. The worker will have those of the steps in `before`. */
function outputsFor(plan: KnownPlan, { step }: StepEntry, before: ReadonlySet<StepId>): KnownOutput[] {
  const needed = new Set(findReferences(step.args).references.map(({ stepId }) => stepId)).difference(before);
  return [...needed].flatMap((stepId) => {
    const state = plan.steps.get(stepId)?.state;
    return state?.status === "succeeded" ? [{ stepId, output: state.output }] : [];
  });
}

function toFollowUp({ goal }: KnownPlan, { step, grant }: StepEntry): FollowUp {
  const { id: stepId, tool, args, model } = step;
  const followUp = { stepId, tool, args, timeoutMs: step.timeoutMs ?? grant.timeoutMs };
  return {
    ...followUp,
    ...(model === undefined ? {} : { model }),
    ...agentOf({ step, grant }),
    ...(keepsFactsOf(goal.facts, grant) ? { inlineBytesMax: PAYLOAD_BYTES_MAX } : {}),
  };
}

/**
 * The work that follows on the same worker.
 *
 * @param output - What the work has just yielded.
 * @returns Undefined when nothing follows, or its arguments cannot be resolved; the dispatcher then records the fault.
 */
export function followUpWork(work: StepWork, output: StepOutput): StepWork | undefined {
  const [followUp, ...followUps] = work.followUps ?? [];
  if (followUp === undefined) return undefined;
  const outputs = [...(work.outputs ?? []), { stepId: work.stepId, output }];
  const outputOf = (stepId: StepId) => {
    const known = outputs.find((one) => one.stepId === stepId);
    return known === undefined ? undefined : resolvedOutput(known.output);
  };
  const resolved = resolveWithOutputs(followUp.args, outputOf);
  if ("fault" in resolved) return undefined;
  const { model: _model, agent: _agent, inlineBytesMax: _bytes, templates: _templates, ...same } = work;
  const templates = templatesOf(followUp.args);
  return {
    ...same,
    ...followUp,
    args: resolved.args,
    ...(templates === undefined ? {} : { templates }),
    attempt: 1,
    via: broughtBy(work),
    followUps,
    outputs,
  };
}

/**
 * Returns where a worker resumes that took over from one that died: the first step of the chain that is still running.
 * Undefined when there is none: the remaining steps do not belong to this worker.
 */
export function resumedWork(plan: KnownPlan, work: StepWork): StepWork | undefined {
  for (let current: StepWork | undefined = work; current !== undefined; ) {
    const state = plan.steps.get(current.stepId)?.state;
    if (state?.status === "running") return isSameAttempt(state, current) ? current : undefined;
    if (state?.status !== "succeeded") return undefined;
    current = followUpWork(current, state.output);
  }
  return undefined;
}
