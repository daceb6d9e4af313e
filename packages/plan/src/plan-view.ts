/** A plan as people and programs outside see it: the whole view of `GET /v1/plans/:id`. */
import { z } from "zod";
import { ApprovalView, approvalViews } from "./approval-view.ts";
import { BudgetView, budgetView } from "./budget-view.ts";
import { CompensationView, compensationView } from "./compensation-view.ts";
import { criticalPath } from "./critical-path.ts";
import { definedOnly, type Optional } from "./defined-only.ts";
import { ParentStep } from "./events/sub-plan-values.ts";
import { FeedbackGiven } from "./events/feedback-events.ts";
import { ForkOrigin } from "./events/fork.ts";
import { Answer, ArtifactRef, Issue, Outcome, PlanTrace, ToolGrant, Usage } from "./events/values.ts";
import { factsOf } from "./facts/fact-ledger.ts";
import { FactView, factView } from "./facts/fact-view.ts";
import { TurnTaken } from "./events/turn-events.ts";
import { effectKey, PlanId, StepId } from "./ids.ts";
import { JsonObject } from "./json.ts";
import { Step, Strategy } from "./plan-language.ts";
import { progressOf } from "./progress.ts";
import { EffectView } from "./effect-view.ts";
import { CritiqueView, critiqueView, ReviewView, reviewView } from "./review-view.ts";
import { RevisionView, revisionView } from "./revision-view.ts";
import { ranDetailsOf, RunView } from "./run-view.ts";
import type { CompensationEntry, KnownPlan, StepEntry, StepState } from "./state/plan-state.ts";
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
  "failed",
  "cancelled",
]);
export const StepStatusName = z.enum([
  "waiting",
  "awaiting-approval",
  "running",
  "reviewing",
  "succeeded",
  "failed",
  "skipped",
  "cancelled",
]);

const TurnView = TurnTaken.shape.data.omit({ stepId: true, item: true }).extend({ at: z.string() });

export const StepView = z.object({
  ...Step.shape,
  grant: ToolGrant,
  /** The draft that planned it; 0 when the plan was submitted. */
  draft: z.int(),
  /** The sub-plan that its last attempt has handed the work to. */
  child: PlanId.optional(),
  /** It was done in the plan that this one was forked from, and never runs here. */
  carried: z.literal(true).optional(),
  status: StepStatusName,
  /** What a waiting step waits for. */
  waitingFor: z
    .enum([
      "dependencies",
      "condition",
      "draft",
      "approval",
      "capacity",
      "retry",
      "budget",
      "start",
      "resume",
    ])
    .optional(),
  ...RunView.shape,
  /** What was said of its outputs, oldest first; absent when nothing was judged. */
  reviews: z.array(ReviewView).optional(),
  /** Of a step that works in a loop: what it thought, did and saw, turn by turn. */
  turns: z.array(TurnView).optional(),
  /** Why it was skipped or cancelled. */
  reason: z.string().optional(),
  /** It did not have to run, and nothing is missing because of that. */
  passedOver: z.literal(true).optional(),
});
export type StepView = z.infer<typeof StepView>;

export const PlanView = z.object({
  planId: PlanId,
  traceId: z.string(),
  trace: PlanTrace,
  goal: z.string(),
  status: PlanStatusName,
  outcome: Outcome.optional(),
  /** Set while the plan is paused. */
  pause: z.object({ reason: z.string(), by: z.string(), at: z.string() }).optional(),
  /** When it will start, until it has. */
  startsAt: z.string().optional(),
  /** Why it ended as it did. */
  reason: z.string().optional(),
  /** The last fact that the view takes in; pass it as `Last-Event-ID` or `after` to go on from here. */
  seq: z.int(),
  /** The step that asked for the plan, when it is a sub-plan. */
  parent: ParentStep.optional(),
  revision: z.int(),
  strategy: Strategy,
  strategyReason: z.string().optional(),
  constraints: z.array(z.string()),
  metadata: JsonObject,
  submittedAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().optional(),
  draft: z.object({ number: z.int(), phase: z.string(), issues: z.array(Issue) }),
  steps: z.array(StepView),
  /** Complete ones, oldest first. */
  revisions: z.array(RevisionView).default([]),
  /** What was said of the first draft, and of its improvement, before they ran; absent when nothing was judged. */
  planReviews: z.array(CritiqueView).optional(),
  answerFrom: StepId.optional(),
  reasoning: z.string().optional(),
  /** How sure the planner is of the plan, from 0 to 1. */
  confidence: z.number().optional(),
  progress: z.object({ done: z.int(), total: z.int(), percent: z.int(), etaMs: z.number().nullable() }),
  /** The chain of steps that took longest, by the times measured so far. */
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
  /** What somebody thinks of it; the last word counts. */
  feedback: z.object({ ...FeedbackGiven.shape.data.shape, at: z.string() }).optional(),
  artifacts: z.array(ArtifactRef),
  /** Why the plan's log cannot be trusted; absent when nothing is known to be missing from it. */
  damage: z.string().optional(),
});
export type PlanView = z.infer<typeof PlanView>;

/** @param nowMs - The time of asking, as milliseconds since the epoch; only the estimate depends on it. */
export function viewOf(plan: KnownPlan, nowMs: number): PlanView {
  const { goal, drafting, conclusion } = plan;
  const entries = [...plan.steps.values()].sort((left, right) => left.position - right.position);
  const steps = entries.map((entry) => entry.step);
  const answer = conclusion?.answer ?? plan.partialAnswer;
  return definedOnly<PlanView>({
    planId: plan.planId,
    traceId: goal.trace.traceId,
    trace: goal.trace,
    goal: goal.goal,
    status: plan.status,
    outcome: plan.endedAt === undefined ? undefined : conclusion?.outcome,
    pause: plan.pause,
    startsAt: plan.startsAt,
    reason: conclusion?.reason,
    seq: plan.seq,
    parent: goal.parent,
    revision: plan.revision,
    strategy: drafting.strategy ?? goal.strategy,
    strategyReason: drafting.strategyReason,
    constraints: goal.constraints,
    metadata: goal.metadata,
    submittedAt: plan.submittedAt,
    updatedAt: plan.updatedAt,
    endedAt: plan.endedAt,
    draft: { number: drafting.number, phase: drafting.phase, issues: [...drafting.issues] },
    steps: entries.map(stepView),
    revisions: plan.revisions.map(revisionView),
    planReviews: plan.planReviews?.map(critiqueView),
    answerFrom: plan.answerFrom,
    reasoning: plan.reasoning,
    confidence: plan.confidence,
    progress: progressOf(plan, nowMs),
    criticalPath: criticalPath(steps, (step) => measuredMs(plan.steps.get(step.id))),
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
    feedback: plan.feedback,
    artifacts: plan.artifacts.toArray(),
    damage: plan.damage,
  });
}

export function stepView({
  step,
  grant,
  draft,
  turns,
  subPlan,
  carried,
  state,
  failedAttempts,
  reviews,
}: StepEntry): StepView {
  return definedOnly<StepView>({
    ...step,
    grant,
    draft,
    child: subPlan,
    carried,
    status: state.status,
    attempt: "attempt" in state ? state.attempt : failedAttempts.length,
    failedAttempts: [...failedAttempts],
    reviews: reviews?.map(reviewView),
    turns: turns === undefined ? undefined : [...turns],
    ...detailsOf(state),
  });
}

function effectViews({ planId }: KnownPlan, { step, grant, effects }: StepEntry): EffectView[] {
  const key = effectKey({ planId, stepId: step.id, item: 0 });
  return effects.map((record) => ({
    key,
    stepId: step.id,
    tool: step.tool,
    effect: grant.effect,
    ...record,
  }));
}

function undoEffectViews(
  { planId }: KnownPlan,
  { stepId, compensate, grant, effects }: CompensationEntry,
): EffectView[] {
  const key = effectKey({ planId, stepId, item: 0, undo: true });
  const { effect } = grant;
  return effects.map((record) => ({ key, stepId, undo: true, tool: compensate.tool, effect, ...record }));
}

function detailsOf(state: StepState): Optional<StepView> {
  switch (state.status) {
    case "awaiting-approval":
      return state.about.kind === "outcome-unknown" ? { startedAt: state.about.startedAt } : {};
    case "waiting":
      return { waitingFor: state.for };
    case "running":
    case "reviewing":
    case "succeeded":
    case "failed":
      return ranDetailsOf(state);
    case "skipped":
      return { reason: state.reason, passedOver: state.passedOver };
    case "cancelled":
      return { reason: state.reason };
    default:
      state satisfies never;
      return {};
  }
}

function measuredMs(entry: StepEntry | undefined): number {
  return entry !== undefined && "durationMs" in entry.state ? entry.state.durationMs : 0;
}
