/** The public view of a plan: the response of `GET /v1/plans/:id`. */
import { z } from "zod";
import { ApprovalView, approvalViews } from "./approval-view.ts";
import { BudgetView, budgetView } from "./budget-view.ts";
import { CompensationView, compensationView } from "./compensation-view.ts";
import { PlanSize } from "../check/plan-size.ts";
import { definedOnly } from "../values/defined-only.ts";
import { ModelTries } from "../events/model-events.ts";
import { ParentStep, UndoneEffect } from "../events/control-events.ts";
import { FeedbackGiven } from "../events/feedback-events.ts";
import { ForkOrigin } from "../events/fork.ts";
import { followUpOf, isUnknown } from "../decide/late-effects.ts";
import { Answer, ArtifactRef, Issue, Outcome, PlanTrace, type ToolGrant, Usage } from "../events/values.ts";
import { factsOf } from "../facts/fact-ledger.ts";
import { FactView, factView } from "../facts/fact-view.ts";
import { effectKey, PlanId, StepId } from "../values/ids.ts";
import { JsonObject } from "../values/json.ts";
import { GatePolicy } from "../policy/gate-policy.ts";
import { planPath } from "./plan-path.ts";
import { PlanStrategy, planStrategy } from "../language/plan-strategy.ts";
import { type KnownTimes, progressOf } from "./progress.ts";
import { EffectView } from "./effect-view.ts";
import {
  AnswerReviewView,
  answerReviewView,
  CritiqueView,
  critiqueView,
  StepView,
  stepView,
} from "./step-view.ts";
import { RevisionView, revisionView } from "./revision-view.ts";
import { callToken } from "../values/call-name.ts";
import { type CompensationEntry, isEnded, type KnownPlan, type StepEntry } from "../machine/plan-state.ts";
import { itemOf, itemsOf } from "../machine/step/runs.ts";
import { Priority } from "../sharing/priority.ts";
import { SearchView, searchView } from "../tree-search/search-view.ts";

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
  ended: z.boolean().meta({
    description: "Whether the plan has finished, whatever its status. A finished plan no longer changes.",
  }),
  outcome: Outcome.optional(),
  pause: z
    .object({
      reason: z.string(),
      by: z.string(),
      at: z.string(),
      until: z
        .string()
        .optional()
        .meta({ description: "When the plan resumes automatically; absent if a user has to resume it." }),
    })
    .optional()
    .meta({ description: "Set while the plan is paused." }),
  modelTries: ModelTries.optional().meta({
    description:
      "Failed attempts to reach the model server for a call that the plan is waiting for; absent if there are none.",
  }),
  startsAt: z
    .string()
    .optional()
    .meta({ description: "When the plan will start; absent once it has started." }),
  reason: z.string().optional().meta({ description: "Why the plan ended with this outcome." }),
  seq: z.int().meta({
    description:
      "The number of the last event in this view; pass it as `Last-Event-ID` or `after` to continue from here.",
  }),
  parent: ParentStep.optional().meta({
    description: "For a sub-plan: the step that started it.",
  }),
  revision: z.int(),
  strategy: PlanStrategy.meta({
    description: "`submitted` for predefined plans; `auto` until a strategy is chosen.",
  }),
  strategyReason: z.string().optional(),
  constraints: z.array(z.string()),
  planSize: PlanSize.optional().meta({
    description: "Number of steps that a model may plan; absent if the submission does not specify it.",
  }),
  priority: Priority.optional().meta({
    description: "Priority among the tenant's plans; absent if it is `normal`.",
  }),
  requireSources: z.boolean().optional().meta({
    description:
      "Whether each sentence of the answer that contains a number or a name must cite a source; absent if not.",
  }),
  metadata: JsonObject,
  submittedAt: z.string(),
  updatedAt: z.string(),
  endedAt: z.string().optional(),
  viewedAt: z.string().optional().meta({
    description:
      "When this view was created, by the server's clock; use it to compute elapsed times. For an earlier state of the plan: when its last event was written. Absent once the plan has finished.",
  }),
  draft: z.object({ number: z.int(), phase: z.string(), issues: z.array(Issue) }),
  steps: z.array(StepView),
  revisions: z.array(RevisionView).default([]).meta({ description: "Completed revisions, oldest first." }),
  planReviews: z.array(CritiqueView).optional().meta({
    description:
      "Reviews of the first draft and of the improved draft, before any step ran; absent if there are none.",
  }),
  answerReviews: z.array(AnswerReviewView).optional().meta({
    description: "Reviews of drafts of the answer, oldest first; absent if there are none.",
  }),
  answerFrom: StepId.optional(),
  reasoning: z.string().optional(),
  confidence: z
    .number()
    .optional()
    .meta({ description: "Confidence of the planner in the plan, from 0 to 1." }),
  progress: z.object({ done: z.int(), total: z.int(), percent: z.int(), etaMs: z.number().nullable() }),
  criticalPath: z.object({ stepIds: z.array(StepId), durationMs: z.number() }).meta({
    description:
      "The chain of steps that determines when the plan finishes. For an unfinished plan: the chain with the most time left, through the step that holds it up. For a finished plan: the chain that took longest. `durationMs` is the time its steps have taken so far.",
  }),
  usage: Usage,
  search: SearchView.optional().meta({
    description: "For the strategy `tree-search`: the complete tree and its best path.",
  }),
  approvals: z.array(ApprovalView).default([]).meta({ description: "Oldest first." }),
  effects: z.array(EffectView).default([]).meta({
    description:
      "The effect ledger: each attempt of a step that changes something. Outcomes that arrive after the plan's end are recorded only here.",
  }),
  facts: z
    .array(FactView)
    .default([])
    .meta({ description: "The facts ledger: facts by key, in the order in which they were recorded." }),
  openQuestions: z.array(z.object({ question: z.string(), stepId: StepId, at: z.string() })).default([]),
  factsLeftOut: z.int().default(0).meta({
    description:
      "Number of claims that did not fit into the ledger, plus outputs that were not read because of the budget.",
  }),
  budget: BudgetView.optional(),
  policy: GatePolicy.optional().meta({
    description:
      "The installation's policy for the plan, recorded at submission. Its requirements apply regardless of the submission. Absent if there is no policy.",
  }),
  submittedBy: z.string().optional().meta({
    description: "The identity of the key that submitted the plan; absent if no keys are set.",
  }),
  compensations: z.array(CompensationView).default([]).meta({
    description: "In the order in which they run: the last step that succeeded is compensated first.",
  }),
  answer: Answer.optional(),
  fork: ForkOrigin.optional().meta({ description: "The plan and step that this plan was forked from." }),
  rerunOf: PlanId.optional().meta({ description: "The plan that this plan repeats." }),
  undoes: UndoneEffect.extend({
    deleted: z.literal(true).optional().meta({ description: "Set if that plan was deleted." }),
  })
    .optional()
    .meta({
      description: "For a plan that compensates a late effect of another plan: that plan, step and attempt.",
    }),
  feedback: z
    .object({ ...FeedbackGiven.shape.data.shape, at: z.string() })
    .optional()
    .meta({ description: "The latest rating by a user." }),
  artifacts: z.array(ArtifactRef),
  damage: z.string().optional().meta({
    description: "Why the plan's log is incomplete; absent if no events are known to be missing.",
  }),
});
export type PlanView = z.infer<typeof PlanView>;

/**
 * @param nowMs - The current time in milliseconds since the epoch: `viewedAt`; the estimate and the critical path depend on it.
 * @param known - Known times besides the plan, for the estimate.
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
    priority: goal.priority,
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
    search: plan.search && searchView(plan.search),
    approvals: approvalViews(plan),
    effects: [
      ...entries.flatMap((entry) => effectViews(plan, entry)),
      ...(plan.compensations?.toArray() ?? []).flatMap((entry) => undoEffectViews(plan, entry)),
    ],
    facts: factsOf(plan).map(factView),
    openQuestions: plan.knowledge.questions.toArray(),
    factsLeftOut: plan.knowledge.leftOut,
    budget: budgetView(plan, nowMs),
    policy: goal.policy,
    submittedBy: goal.submittedBy,
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
        // The plan no longer waits for its outcome.
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
