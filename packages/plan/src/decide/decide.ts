/**
 * The dispatcher's next commands for a plan: a pure function of the plan's state.
 *
 * Deciding twice is harmless: every command has an id derived from its purpose, so that the receiver drops the duplicate.
 */
import type { RunName, StepId } from "../values/ids.ts";
import { argumentsHash } from "../values/arguments-hash.ts";
import { PAYLOAD_BYTES_MAX, keepsFactsOf } from "../facts/keeps-facts.ts";
import { templatesFor } from "../arguments/own-words.ts";
import { PLAN_RUN } from "../language/tool-names.ts";
import { allowedArguments, allowedUndoArguments } from "../policy/allowed-arguments.ts";
import { agentOf, poolOf } from "../language/pool-of.ts";
import { budgetQuestion } from "../machine/budget/budget-ask.ts";
import { allowanceOf, holderOf } from "../machine/budget/budget-ledger.ts";
import { type ToProcess, processHolder } from "../machine/knowledge.ts";
import { type KnownPlan, isEnded } from "../machine/plan-state.ts";
import { itemOf, runNamed } from "../machine/step/runs.ts";
import { AnswerGiven, PlanEnded, TimerFired } from "../events/outcome-events.ts";
import {
  type CritiqueWork,
  type DraftWork,
  type FactsWork,
  type JoinWork,
  type ReviewWork,
  type StepWork,
  critiqueWorkId,
  draftWorkId,
  factsWorkId,
  joinWorkId,
  reviewWorkId,
  stepWorkId,
  unitWorkId,
} from "../events/work.ts";
import {
  askAboutPlan,
  askAboutUndo,
  askForApproval,
  expiryOf,
  recordQuestion,
} from "./approval-questions.ts";
import { recordFault, recordUndoFault } from "./attempt-fault.ts";
import type { Command } from "./command.ts";
import { unknownEffects } from "./late-effects.ts";
import { isWorkWanted } from "./is-work-wanted.ts";
import { mayStart, withinDeadline } from "./may-start.ts";
import { type Owed, owed } from "./owed.ts";
import { recordSkips, recordVerdict } from "./record-verdict.ts";
import { endOfSubPlan, runSubPlan, tellSubPlan } from "./sub-plan-work.ts";
import { workOfUnit } from "./unit-work.ts";
import { critiqueHolder } from "../machine/review/critique-state.ts";
import { reviewHolder } from "../machine/review/review-state.ts";
import { currentCompensation } from "../machine/step/compensations.ts";

/**
 * Returns the commands for everything that the dispatcher owes the plan.
 *
 * @param list - Default: everything owed, for a dispatcher that takes the plan over and does not know what was done before. After
 * each event: `newlyOwed(before, plan)`.
 */
export function decide(plan: KnownPlan, list: readonly Owed[] = owed(plan)): Command[] {
  if (isEnded(plan)) return [];
  const commands: Command[] = [];
  for (const one of list) {
    const command = commandFor(plan, one);
    if (command !== undefined) commands.push(command);
  }
  return commands;
}

function commandFor(plan: KnownPlan, one: Owed): Command | undefined {
  const { planId } = plan;
  const { trace } = plan.goal;
  switch (one.kind) {
    case "run":
      return runStep(plan, one);
    case "unit": {
      const work = workOfUnit(plan, one.unit);
      return work === undefined ? undefined : { kind: "unit", id: unitWorkId(work), work };
    }
    case "undo":
      return runCompensation(plan, one.stepId);
    case "approval":
      return one.undo === true ? askAboutUndo(plan, one.stepId) : askForApproval(plan, one);
    case "plan-approval":
      return askAboutPlan(plan);
    case "budget":
      return recordQuestion(plan, budgetQuestion(plan, expiryOf(plan)));
    case "sub-plan":
      return tellSubPlan(plan, one);
    case "stop":
      return { kind: "stop" };
    case "draft": {
      const draft = plan.drafting.number;
      if (!mayStart(plan.budget, holderOf.draft(draft))) return undefined;
      const allowance = allowanceOf(plan.budget, holderOf.draft(draft));
      const work: DraftWork = { planId, draft, ...(allowance === undefined ? {} : { allowance }), trace };
      return { kind: "draft", id: draftWorkId(work), work };
    }
    case "join": {
      const join = plan.joining.number;
      if (!mayStart(plan.budget, holderOf.join(join))) return undefined;
      const allowance = allowanceOf(plan.budget, holderOf.join(join));
      const work: JoinWork = { planId, join, ...(allowance === undefined ? {} : { allowance }), trace };
      return { kind: "join", id: joinWorkId(work), work };
    }
    case "process":
      return processOutput(plan, one.output);
    case "review":
      return judgeStep(plan, one.stepId);
    case "critique":
      return judgeDraft(plan);
    case "timer": {
      const { timer, deadline } = one;
      const event = TimerFired.unstamped(planId, deadline === undefined ? { timer } : { timer, deadline });
      return { kind: "schedule", timer, at: one.at, event };
    }
    case "skip":
      return recordSkips(plan, one.because);
    case "verdict":
      return recordVerdict(plan, one.stepId);
    case "answer": {
      const answer = plan.conclusion?.answer;
      if (answer === undefined) return undefined;
      return { kind: "record", event: AnswerGiven.unstamped(planId, { answer }) };
    }
    case "end":
      return recordEnd(plan);
    default:
      one satisfies never;
      return undefined;
  }
}

function recordEnd(plan: KnownPlan): Command | undefined {
  const { planId, conclusion } = plan;
  if (conclusion === undefined) return undefined;
  const { outcome } = conclusion;
  const unknown = unknownEffects(plan);
  const reason = unknown === undefined ? conclusion.reason : `${conclusion.reason}; ${unknown}`;
  const event = PlanEnded.unstamped(planId, { outcome, reason });
  const before = endOfSubPlan(plan);
  return { kind: "record", event, ...(before === undefined ? {} : { before }) };
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
  // The verdict of a verifying step must be readable here.
  const isKept = keepsFactsOf(plan.goal.facts, grant) && step.verifies === undefined;
  if (isKept) work.inlineBytesMax = PAYLOAD_BYTES_MAX;
  const templates = templatesFor(plan, entry);
  if (templates !== undefined) work.templates = templates;
  const allowance = allowanceOf(plan.budget, holderOf.step({ ...name, attempt: state.attempt }));
  if (allowance !== undefined) work.allowance = allowance;
  return { kind: "run", id: stepWorkId(work), work };
}

function processOutput(plan: KnownPlan, output: ToProcess): Command | undefined {
  if (!isWorkWanted(plan, output)) return undefined;
  const { stepId, item, attempt } = output;
  const { planId, goal } = plan;
  const allowance = allowanceOf(plan.budget, processHolder(output));
  const work: FactsWork = { planId, stepId, item, attempt, trace: goal.trace };
  if (allowance !== undefined) work.allowance = allowance;
  return { kind: "process", id: factsWorkId(work), work };
}

/** Requests a review of the step's output. */
function judgeStep(plan: KnownPlan, stepId: StepId): Command | undefined {
  const state = plan.steps.get(stepId)?.state;
  if (state?.status !== "reviewing") return undefined;
  const { attempt, review } = state;
  const holder = reviewHolder({ stepId, attempt, review });
  if (!mayStart(plan.budget, holder)) return undefined;
  const allowance = allowanceOf(plan.budget, holder);
  const { planId, goal } = plan;
  const run = { planId, stepId, item: 0, attempt, review, trace: goal.trace };
  const work: ReviewWork = allowance === undefined ? run : { ...run, allowance };
  return { kind: "review", id: reviewWorkId(work), work };
}

/** Requests a review of a draft as a whole. */
function judgeDraft({ planId, goal, budget, critique }: KnownPlan): Command | undefined {
  if (critique === undefined) return undefined;
  const holder = critiqueHolder(critique);
  if (!mayStart(budget, holder)) return undefined;
  const allowance = allowanceOf(budget, holder);
  const wanted = { planId, ...critique, trace: goal.trace };
  const work: CritiqueWork = allowance === undefined ? wanted : { ...wanted, allowance };
  return { kind: "critique", id: critiqueWorkId(work), work };
}

/** Runs a step's compensation, or records its fault if its arguments cannot be resolved. */
function runCompensation(plan: KnownPlan, stepId: StepId): Command | undefined {
  const entry = currentCompensation(plan);
  if (entry?.stepId !== stepId || entry.state.status !== "running") return undefined;
  const { compensate, grant, state, approved } = entry;
  const { attempt, sentAfter } = state;
  const { planId, goal } = plan;
  const resolved = allowedUndoArguments(plan, entry);
  if ("fault" in resolved) return recordUndoFault(plan, stepId, attempt, resolved.fault);
  const work: StepWork = {
    planId,
    tenant: goal.tenant,
    stepId,
    item: 0,
    undo: true,
    attempt,
    sentAfter,
    tool: compensate.tool,
    args: resolved.args,
    pool: poolOf({ step: compensate, grant }),
    ...agentOf({ step: compensate, grant }),
    effect: grant.effect,
    timeoutMs: compensate.timeoutMs ?? grant.timeoutMs,
    trace: goal.trace,
  };
  if (approved !== undefined)
    work.approval = { approvalId: approved.approvalId, argsHash: argumentsHash(approved.args) };
  if (goal.sources !== undefined) work.sources = goal.sources;
  return { kind: "run", id: stepWorkId(work), work };
}
