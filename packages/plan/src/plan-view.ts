/** A plan as people and programs outside see it: the whole view of `GET /v1/plans/:id`. */
import { z } from "zod";
import { ApprovalView, approvalViews } from "./approval-view.ts";
import { BudgetView, budgetView } from "./budget-view.ts";
import { CompensationView, compensationView } from "./compensation-view.ts";
import { PlanSize } from "./check/plan-size.ts";
import { definedOnly } from "./defined-only.ts";
import { ModelTries } from "./events/model-events.ts";
import { ParentStep } from "./events/sub-plan-values.ts";
import { FeedbackGiven } from "./events/feedback-events.ts";
import { UndoneEffect } from "./events/control-events.ts";
import { ForkOrigin } from "./events/fork.ts";
import { followUpOf, isUnknown } from "./late-effects.ts";
import { Answer, ArtifactRef, Issue, Outcome, PlanTrace, type ToolGrant, Usage } from "./events/values.ts";
import { factsOf } from "./facts/fact-ledger.ts";
import { FactView, factView } from "./facts/fact-view.ts";
import { effectKey, PlanId, StepId } from "./ids.ts";
import { JsonObject } from "./json.ts";
import { planPath } from "./plan-path.ts";
import { PlanStrategy, planStrategy } from "./plan-strategy.ts";
import { type KnownTimes, progressOf } from "./progress.ts";
import { EffectView } from "./effect-view.ts";
import { AnswerReviewView, answerReviewView, CritiqueView, critiqueView } from "./review-view.ts";
import { RevisionView, revisionView } from "./revision-view.ts";
import { callToken } from "./state/loop-calls.ts";
import { type CompensationEntry, isEnded, type KnownPlan, type StepEntry } from "./state/plan-state.ts";
import { itemOf, itemsOf } from "./state/runs.ts";
import { StepView, stepView } from "./step-view.ts";
import { SearchView, searchView } from "./tree-search/search-view.ts";

export const PlanStatusName = z.enum([
  "scheduled",
  "planning",
  "awaiting-approval",
  "running",
  "paused",
  "compensating",
  "reflecting",
  "succeeded",
  "partial",
  "failed",
  "cancelled",
]);

export const PlanView = z.object({
  planId: PlanId,
  traceId: z.string(),
  trace: PlanTrace,
  goal: z.string(),
  status: PlanStatusName,
  /** Whether the plan has ended: nothing of it changes any more, whatever its status is called. */
  ended: z.boolean(),
  outcome: Outcome.optional(),
  /** Set while the plan is paused. */
  pause: z
    .object({
      reason: z.string(),
      by: z.string(),
      at: z.string(),
      /** When the plan resumes by itself; absent when a person has to resume it. */
      until: z.string().optional(),
    })
    .optional(),
  /** The model server does not answer the call that the plan as a whole waits for; absent while nothing is wrong. */
  modelTries: ModelTries.optional(),
  /** When it will start, until it has. */
  startsAt: z.string().optional(),
  /** Why it ended as it did. */
  reason: z.string().optional(),
  /** The last fact that the view takes in; pass it as `Last-Event-ID` or `after` to go on from here. */
  seq: z.int(),
  /** The step that asked for the plan, when it is a sub-plan. */
  parent: ParentStep.optional(),
  revision: z.int(),
  /** `submitted` for a plan that was submitted whole; `auto` until a strategy is chosen. */
  strategy: PlanStrategy,
  strategyReason: z.string().optional(),
  constraints: z.array(z.string()),
  /** How many steps a model may plan; absent when the submission does not say. */
  planSize: PlanSize.optional(),
  /** Whether each sentence of the answer with a figure or a name must cite a source; absent when not. */
  requireSources: z.boolean().optional(),
  metadata: JsonObject,
  submittedAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().optional(),
  /**
   * When this view was made, by the server's clock: count elapsed times from here. Of an earlier state of the plan, when
   * its last event was written. Absent once the plan has ended.
   */
  viewedAt: z.string().optional(),
  draft: z.object({ number: z.int(), phase: z.string(), issues: z.array(Issue) }),
  steps: z.array(StepView),
  /** Complete ones, oldest first. */
  revisions: z.array(RevisionView).default([]),
  /** What was said of the first draft, and of its improvement, before they ran; absent when nothing was judged. */
  planReviews: z.array(CritiqueView).optional(),
  /** What was said of drafts of the answer, oldest first; absent when nothing was judged. */
  answerReviews: z.array(AnswerReviewView).optional(),
  answerFrom: StepId.optional(),
  reasoning: z.string().optional(),
  /** How sure the planner is of the plan, from 0 to 1. */
  confidence: z.number().optional(),
  progress: z.object({ done: z.int(), total: z.int(), percent: z.int(), etaMs: z.number().nullable() }),
  /**
   * The chain of steps that decides when the plan ends: of an open plan the one with most time left, through the step that
   * holds it up; of an ended one the chain that took longest. `durationMs` is what its steps have taken so far.
   */
  criticalPath: z.object({ stepIds: z.array(StepId), durationMs: z.number() }),
  usage: Usage,
  /** Of the strategy `tree-search`: the whole tree, and its best path. */
  search: SearchView.optional(),
  /** Oldest first. */
  approvals: z.array(ApprovalView).default([]),
  /** The ledger: each attempt of a step that changes something. Outcomes that come after the end are noted here only. */
  effects: z.array(EffectView).default([]),
  /** What is known for certain, by key in the order in which it came to be known. */
  facts: z.array(FactView).default([]),
  openQuestions: z.array(z.object({ question: z.string(), stepId: StepId, at: z.string() })).default([]),
  /** Claims for which there was no room among the facts, and outputs that the budget left no look at. */
  factsLeftOut: z.int().default(0),
  budget: BudgetView.optional(),
  /** In the order in which they run: the step that succeeded last is undone first. */
  compensations: z.array(CompensationView).default([]),
  answer: Answer.optional(),
  /** Where the plan was forked from. */
  fork: ForkOrigin.optional(),
  /** The plan that this one runs again. */
  rerunOf: PlanId.optional(),
  /** Of a plan that undoes a late effect of another one: that plan, step and attempt. */
  undoes: UndoneEffect.optional(),
  /** What somebody thinks of it; the last word counts. */
  feedback: z.object({ ...FeedbackGiven.shape.data.shape, at: z.string() }).optional(),
  artifacts: z.array(ArtifactRef),
  /** Why the plan's log cannot be trusted; absent when nothing is known to be missing from it. */
  damage: z.string().optional(),
});
export type PlanView = z.infer<typeof PlanView>;

/**
 * @param nowMs - The time of asking, as milliseconds since the epoch: `viewedAt`; the estimate and the critical path
 *   depend on it.
 * @param known - For the estimate, what is known besides the plan.
 */
export function viewOf(plan: KnownPlan, nowMs: number, known: KnownTimes = {}): PlanView {
  const { goal, drafting, conclusion } = plan;
  const entries = [...plan.steps.values()].sort((left, right) => left.position - right.position);
  const answer = conclusion?.answer ?? plan.partialAnswer;
  return definedOnly<PlanView>({
    planId: plan.planId,
    traceId: goal.trace.traceId,
    trace: goal.trace,
    goal: goal.goal,
    status: plan.status,
    ended: isEnded(plan),
    outcome: plan.endedAt === undefined ? undefined : conclusion?.outcome,
    pause: plan.pause,
    modelTries: plan.endedAt === undefined ? triesOf(plan) : undefined,
    startsAt: plan.startsAt,
    reason: conclusion?.reason,
    seq: plan.seq,
    parent: goal.parent,
    revision: plan.revision,
    strategy: planStrategy({ asked: goal.strategy, drafted: drafting.strategy, plan: goal.plan }),
    strategyReason: drafting.strategyReason,
    constraints: goal.constraints,
    planSize: goal.planSize,
    requireSources: goal.requireSources,
    metadata: goal.metadata,
    submittedAt: plan.submittedAt,
    updatedAt: plan.updatedAt,
    endedAt: plan.endedAt,
    viewedAt: plan.endedAt === undefined ? new Date(nowMs).toISOString() : undefined,
    draft: { number: drafting.number, phase: drafting.phase, issues: [...drafting.issues] },
    steps: entries.map((entry) => stepView(plan, entry)),
    revisions: plan.revisions.map(revisionView),
    planReviews: plan.planReviews?.map(critiqueView),
    answerReviews: plan.answerReviews?.map(answerReviewView),
    answerFrom: plan.answerFrom,
    reasoning: plan.reasoning,
    confidence: plan.confidence,
    progress: progressOf(plan, nowMs, known),
    criticalPath: planPath(plan, nowMs, known),
    usage: plan.usage,
    search: plan.search === undefined ? undefined : searchView(plan.search),
    approvals: approvalViews(plan),
    effects: [
      ...entries.flatMap((entry) => effectViews(plan, entry)),
      ...(plan.compensations?.toArray() ?? []).flatMap((entry) => undoEffectViews(plan, entry)),
    ],
    facts: factsOf(plan).map(factView),
    openQuestions: plan.knowledge.questions.toArray(),
    factsLeftOut: plan.knowledge.leftOut,
    budget: budgetView(plan, nowMs),
    compensations: (plan.compensations?.toArray() ?? []).map((entry) => compensationView(plan, entry)),
    answer,
    fork: goal.fork,
    rerunOf: goal.rerunOf,
    undoes: goal.undoes,
    feedback: plan.feedback,
    artifacts: plan.artifacts.toArray(),
    damage: plan.damage,
  });
}

function triesOf({ drafting, joining, critique }: KnownPlan): ModelTries | undefined {
  return (drafting.phase === "open" ? drafting.tries : undefined) ?? joining.tries ?? critique?.tries;
}

function effectViews(plan: KnownPlan, { step, grant }: StepEntry): EffectView[] {
  const { id: stepId } = step;
  const runs = step.forEach === undefined ? [plan.steps.get(stepId)] : itemsOf(plan, stepId);
  return runs.flatMap((run) => (run === undefined ? [] : effectsOfRun(plan, run, grant)));
}

function effectsOfRun(plan: KnownPlan, run: StepEntry, grant: ToolGrant): EffectView[] {
  const { planId } = plan;
  const { step, item, effects, calls = [] } = run;
  const isOver = isEnded(plan) && isUnknown(run);
  const named = { planId, stepId: step.id, item: itemOf(run) };
  const about = { stepId: step.id, ...(item === undefined ? {} : { item: item.index }) };
  return [
    ...effects.map(({ late: _late, ...record }) => {
      const followedUpBy = followUpOf(plan, run, record.attempt);
      return {
        key: effectKey(named),
        ...about,
        tool: step.tool,
        effect: grant.effect,
        ...record,
        // Nobody waits for its outcome any more.
        ...(record.status === "started" && isOver ? { status: "unknown" as const } : {}),
        ...(followedUpBy === undefined ? {} : { followedUpBy }),
      };
    }),
    ...calls.map(({ thought: _thought, args: _args, proposed: _proposed, leave: _leave, ...record }) => ({
      key: effectKey(named, callToken(record)),
      ...about,
      ...record,
    })),
  ];
}

function undoEffectViews(
  { planId }: KnownPlan,
  { stepId, compensate, grant, effects }: CompensationEntry,
): EffectView[] {
  const key = effectKey({ planId, stepId, item: 0, undo: true });
  const { effect } = grant;
  return effects.map((record) => ({ key, stepId, undo: true, tool: compensate.tool, effect, ...record }));
}
