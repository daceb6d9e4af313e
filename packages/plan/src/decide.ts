/**
 * What a plan's owner has to do next: a pure function of the plan's state.
 *
 * Deciding twice is harmless: every command has an id derived from what it is for, so that the
 * second one vanishes where it arrives.
 */

import {
  askAboutPlan,
  askAboutUndo,
  askForApproval,
  expiryOf,
  recordQuestion,
} from "./approval-questions.ts";
import { argumentsHash } from "./arguments-hash.ts";
import { attemptId, recordFault } from "./attempt-fault.ts";
import { bundleCommands, bundledSteps, isBundled } from "./bundles.ts";
import { runCompensation } from "./compensation-work.ts";
import type { CancelRequested } from "./events/control-events.ts";
import type { PlanEvent } from "./events/plan-event.ts";
import { followUpsOf } from "./follow-ups.ts";
import { templatesFor } from "./own-words.ts";
import { recordSkips } from "./record-skips.ts";
import { recordVerdict } from "./record-verdict.ts";
import { allowedArguments } from "./policy/allowed-arguments.ts";
import { budgetQuestion } from "./state/budget-ask.ts";
import { currentCompensation } from "./state/compensations.ts";
import { allowanceOf, holderOf } from "./state/budget-ledger.ts";
import type { Due } from "./state/due.ts";
import { isEnded, isHalted, type KnownPlan, openGate } from "./state/plan-state.ts";
import { timersOf } from "./state/plan-timers.ts";
import { allRuns, itemOf, nameOf, type RunName, runNamed } from "./state/runs.ts";
import { outputKey, processHolder, type ToProcess, wantsFactsOf } from "./state/knowledge.ts";
import { keepsFactsOf, PAYLOAD_BYTES_MAX } from "./facts/facts-policy.ts";
import { mayStart, withinDeadline } from "./may-start.ts";
import { unknownEffects } from "./late-effects.ts";
import { isToBeJudged, judgeDraft, judgeStep } from "./review-command.ts";
import { PLAN_RUN } from "./owner-tools.ts";
import { agentOf, poolOf } from "./pool-of.ts";
import { endOfSubPlan, runSubPlan, tellSubPlan, type SubPlanSubmission } from "./sub-plan-work.ts";
import type { CritiqueWork, DraftWork, FactsWork, JoinWork, ReviewWork, StepWork } from "./work.ts";

/** An event that still lacks the time at which it is written. */
export type Unstamped<Event> = Event extends unknown ? Omit<Event, "at"> : never;

export type Command =
  | { readonly kind: "run"; readonly id: string; readonly work: StepWork }
  | { readonly kind: "draft"; readonly id: string; readonly work: DraftWork }
  | { readonly kind: "join"; readonly id: string; readonly work: JoinWork }
  | { readonly kind: "process"; readonly id: string; readonly work: FactsWork }
  | SubPlanCommand
  | { readonly kind: "review"; readonly id: string; readonly work: ReviewWork }
  | { readonly kind: "critique"; readonly id: string; readonly work: CritiqueWork }
  /** Tell workers that what they do for the plan may no longer be wanted. A hint: losing it loses nothing. */
  | { readonly kind: "stop" }
  /** Have the server write `event` at the given time. */
  | {
      readonly kind: "schedule";
      readonly timer: string;
      readonly at: string;
      readonly event: Unstamped<PlanEvent>;
    }
  /**
   * Write a fact that follows from the state; only the plan's owner may.
   *
   * `before` is a fact of another plan that has to be stored first: the end of a sub-plan is in its parent's log
   * before it is in its own.
   */
  | {
      readonly kind: "record";
      readonly event: Unstamped<PlanEvent>;
      readonly before?: Unstamped<PlanEvent>;
    };

/** Submit a sub-plan, unless it was, and then store `control` in its log. */
export type SubPlanCommand = {
  readonly kind: "sub-plan";
  readonly id: string;
  readonly submission: SubPlanSubmission;
  readonly control?: Unstamped<CancelRequested>;
};

/**
 * The commands that follow from the last accepted fact.
 *
 * @param due - Pass {@link allDue} after taking a plan over, when it is not known what was done before.
 */
export function decide(plan: KnownPlan, due: readonly Due[] = plan.due): Command[] {
  if (isEnded(plan)) return [];
  const commands: Command[] = [];
  for (const one of due) {
    const command = isBundled(plan, one) ? undefined : commandFor(plan, one);
    if (command !== undefined) commands.push(command);
  }
  for (const [first, steps] of bundledSteps(plan, due)) {
    const runs = steps.map((stepId) => runStep(plan, { stepId }));
    commands.push(...bundleCommands(plan, first, runs));
  }
  return commands;
}

/** Everything that a plan still waits for its owner to do, whether or not it was done before. */
export function allDue(plan: KnownPlan): Due[] {
  if (isEnded(plan)) return [];
  const due: Due[] = [];
  const halted = isHalted(plan);
  for (const entry of allRuns(plan)) {
    const isWanted = entry.state.status === "running" && entry.state.stopping === undefined && !halted;
    if (isWanted) due.push({ kind: "run", ...nameOf(entry) });
    else if (isToBeJudged(entry) && !halted) due.push({ kind: "review", stepId: entry.step.id });
    else if (entry.state.status === "awaiting-approval") due.push({ kind: "approval", ...nameOf(entry) });
  }
  for (const stepId of plan.undecided.keys()) due.push({ kind: "verdict", stepId });
  for (const because of plan.unskipped.keys()) due.push({ kind: "skip", because });
  due.push(...timersOf(plan));
  if (openGate(plan) !== undefined) due.push({ kind: "plan-approval" });
  if (plan.budget?.asking !== undefined && plan.conclusion === undefined) due.push({ kind: "budget" });
  for (const { stepId, item, attempt, stop } of plan.subPlans.values()) {
    if (stop !== undefined || !halted) due.push({ kind: "sub-plan", stepId, item, attempt });
  }
  if (halted) return due;
  const current = currentCompensation(plan);
  if (current?.state.status === "running") due.push({ kind: "undo", stepId: current.stepId });
  if (current?.state.status === "awaiting-approval") {
    due.push({ kind: "approval", stepId: current.stepId, undo: true });
  }
  for (const output of plan.knowledge.processing.values()) due.push({ kind: "process", output });
  if (plan.undoing + plan.stopping > 0 || (plan.conclusion !== undefined && plan.subPlans.size > 0))
    return due;
  if (plan.conclusion !== undefined) due.push({ kind: plan.conclusion.answerRecorded ? "end" : "answer" });
  else if (plan.drafting.phase === "requested") due.push({ kind: "draft" });
  else if (plan.joining.phase === "requested") due.push({ kind: "join" });
  else if (plan.critique !== undefined) due.push({ kind: "critique" });
  return due;
}

/**
 * Timers that the server should have fired at `nowMs` or before, by its own clock, and has not.
 *
 * @param nowMs - Milliseconds since the epoch.
 */
export function overdueTimers(plan: KnownPlan, nowMs: number): Due[] {
  if (isEnded(plan)) return [];
  return timersOf(plan).filter((due) => due.kind === "timer" && Date.parse(due.at) <= nowMs);
}

function commandFor(plan: KnownPlan, due: Due): Command | undefined {
  const { planId } = plan;
  const { trace } = plan.goal;
  switch (due.kind) {
    case "run":
      return runStep(plan, due);
    case "undo":
      return runCompensation(plan, due.stepId);
    case "approval":
      return due.undo === true ? askAboutUndo(plan, due.stepId) : askForApproval(plan, due);
    case "plan-approval":
      return askAboutPlan(plan);
    case "budget":
      return recordQuestion(plan, budgetQuestion(plan, expiryOf(plan)));
    case "sub-plan":
      return tellSubPlan(plan, due);
    case "stop":
      return { kind: "stop" };
    case "draft": {
      const draft = plan.drafting.number;
      if (!mayStart(plan.budget, holderOf.draft(draft))) return undefined;
      const allowance = allowanceOf(plan.budget, holderOf.draft(draft));
      const work: DraftWork = { planId, draft, ...(allowance === undefined ? {} : { allowance }), trace };
      return { kind: "draft", id: `${planId}/draft/${draft}`, work };
    }
    case "join": {
      const join = plan.joining.number;
      if (!mayStart(plan.budget, holderOf.join(join))) return undefined;
      const allowance = allowanceOf(plan.budget, holderOf.join(join));
      const work: JoinWork = { planId, join, ...(allowance === undefined ? {} : { allowance }), trace };
      return { kind: "join", id: `${planId}/join/${join}`, work };
    }
    case "process":
      return processOutput(plan, due.output);
    case "review":
      return judgeStep(plan, due.stepId);
    case "critique":
      return judgeDraft(plan);
    case "timer": {
      const { timer, deadline } = due;
      const data = deadline === undefined ? { timer } : { timer, deadline };
      const event = { id: `${planId}/timer/${due.timer}`, type: "timer.fired", planId, data } as const;
      return { kind: "schedule", timer: due.timer, at: due.at, event };
    }
    case "skip":
      return recordSkips(plan, due.because);
    case "verdict":
      return recordVerdict(plan, due.stepId);
    case "answer": {
      const answer = plan.conclusion?.answer;
      if (answer === undefined) return undefined;
      const event = { id: `${planId}/answer`, type: "answer.given", planId, data: { answer } } as const;
      return { kind: "record", event };
    }
    case "end":
      return recordEnd(plan);
    default:
      due satisfies never;
      return undefined;
  }
}

function recordEnd(plan: KnownPlan): Command | undefined {
  const { planId, conclusion, seq } = plan;
  if (conclusion === undefined) return undefined;
  const { outcome } = conclusion;
  const unknown = unknownEffects(plan);
  const reason = unknown === undefined ? conclusion.reason : `${conclusion.reason}; ${unknown}`;
  const data = { outcome, reason, facts: seq };
  const end = { id: `${planId}/end`, type: "plan.ended", planId, data } as const;
  const before = endOfSubPlan(plan);
  return { kind: "record", event: end, ...(before === undefined ? {} : { before }) };
}

function runStep(plan: KnownPlan, name: RunName): Command | undefined {
  const entry = runNamed(plan, name);
  if (entry?.state.status !== "running") return undefined;
  const { stepId } = name;
  const { step, grant, state, approved, feedback, tried } = entry;
  if (step.tool === PLAN_RUN) return runSubPlan(plan, entry, state);
  const resolved = allowedArguments(plan, entry);
  if ("fault" in resolved) return recordFault(plan, entry, state.attempt, resolved.fault);
  const work: StepWork = {
    planId: plan.planId,
    tenant: plan.goal.tenant,
    stepId,
    item: itemOf(entry),
    attempt: state.attempt,
    sentAfter: state.sentAfter,
    tool: step.tool,
    args: resolved.args,
    pool: poolOf(entry),
    ...agentOf(entry),
    effect: grant.effect,
    timeoutMs: withinDeadline(plan, step.timeoutMs ?? grant.timeoutMs),
    trace: plan.goal.trace,
  };
  if (approved !== undefined)
    work.approval = { approvalId: approved.approvalId, argsHash: argumentsHash(approved.args) };
  if (feedback !== undefined) work.feedback = { ...feedback, issues: [...feedback.issues] };
  if (tried !== undefined) work.tried = tried;
  if (step.model !== undefined) work.model = step.model;
  if (plan.goal.sources !== undefined) work.sources = plan.goal.sources;
  // The verdict of one that verifies another has to be read here.
  const isKept = keepsFactsOf(plan.goal.facts, grant) && step.verifies === undefined;
  if (isKept) work.inlineBytesMax = PAYLOAD_BYTES_MAX;
  const templates = templatesFor(plan, entry);
  if (templates !== undefined) work.templates = templates;
  const allowance = allowanceOf(plan.budget, holderOf.step({ ...name, attempt: state.attempt }));
  if (allowance !== undefined) work.allowance = allowance;
  if (state.via !== undefined) work.via = state.via;
  Object.assign(work, followUpsOf(plan, entry));
  const id = attemptId(plan, { ...name, attempt: state.attempt, via: state.via });
  return { kind: "run", id: state.sentAfter === 0 ? id : `${id}/after-${state.sentAfter}`, work };
}

function processOutput(plan: KnownPlan, output: ToProcess): Command | undefined {
  if (!wantsFactsOf(plan, output)) return undefined;
  const { stepId, item, attempt } = output;
  const { planId, goal } = plan;
  const allowance = allowanceOf(plan.budget, processHolder(output));
  const work: FactsWork = { planId, stepId, item, attempt, trace: goal.trace };
  if (allowance !== undefined) work.allowance = allowance;
  return { kind: "process", id: `${planId}/facts/${outputKey(output)}`, work };
}
