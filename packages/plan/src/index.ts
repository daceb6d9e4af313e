export { addUsage, NO_USAGE } from "./add-usage.ts";
export { AGENT_REACT } from "./agent-react.ts";
export { type Agents, AgentType, NO_AGENTS, POOL_CONCURRENCY_MAX, poolOfType } from "./agent-type.ts";
export { checkSources, type SourceCheck } from "./sources/check-sources.ts";
export { type KnownSources, knownSources } from "./sources/known-sources.ts";
export { unsourcedSentences } from "./sources/unsourced-sentences.ts";
export { answerFrom, answerInstead } from "./answer-from.ts";
export { incompletenessOf, isMadeUpFor, missingResults } from "./shortcomings.ts";
export { type Evidence, type Ending, OUTCOME_TABLE, outcomeOf } from "./plan-outcome.ts";
export { alwaysWaits, APPROVAL_EXPIRES_MS, ApprovalPolicy, waitsForApproval } from "./approval-policy.ts";
export { COMPOSED_SHOWN_MAX, ComposedUrl, EGRESS_DEFAULT, EgressRule } from "./egress/egress-rule.ts";
export { AuditBreak, AuditEntry } from "./audit/audit-chain.ts";
export {
  isHostAllowed,
  parseHost,
  type SecretCall,
  type SecretFault,
  secretFault,
} from "./secrets/secret-fault.ts";
export { findSecrets, type SecretReference } from "./secrets/secret-references.ts";
export { reachesOut, type UrlArgument, urlArguments } from "./egress/url-arguments.ts";
export { argumentsHash } from "./arguments-hash.ts";
export {
  ALLOWANCE_SPENT,
  Allowance,
  Budget,
  BudgetLimits,
  BudgetRaise,
  Forfeit,
  StoredBudget,
  wholeOf,
} from "./budget.ts";
export { checkFinalArguments } from "./check/check-final-arguments.ts";
export { stepsOfWork } from "./decide/bundles.ts";
export { canonicalJson } from "./canonical-json.ts";
export type { PlanRules, StepsBeside } from "./check/check-parts.ts";
export { type CheckedPlan, checkPlan } from "./check/check-plan.ts";
export { type DraftTies, issuesOfTies } from "./check/check-draft-ties.ts";
export { type CheckedStep, checkStep, type DraftSoFar } from "./check/check-step.ts";
export { PlanSize, sizeIssueOf } from "./check/plan-size.ts";
export { describeZodIssue } from "./check/describe-zod-issue.ts";
export type { CodeLanguage } from "./code-plan/blank-literals.ts";
export { checkProgram, issuesOfProgram, type Program } from "./code-plan/check-program.ts";
export { codePlan, DATA_APPLY, DATA_DRYRUN } from "./code-plan/code-plan.ts";
export { extractProgram } from "./code-plan/extract-program.ts";
export {
  checkChanges,
  type ChangeRules,
  type Violation,
  VIOLATIONS_MAX,
  violationsInWords,
} from "./data-rules/check-changes.ts";
export { DataRules, TableRules } from "./data-rules/data-rules.ts";
export { strayRules } from "./data-rules/stray-rules.ts";
export { Cell, Cells, nameOfRow, RowChange } from "./data-rules/row-change.ts";
export { compensationId } from "./decide/compensation-work.ts";
export { type CriticalPath, criticalPath } from "./critical-path.ts";
export { attemptId } from "./decide/attempt-fault.ts";
export type { Command, SubPlanCommand, Unstamped } from "./decide/command.ts";
export { decide } from "./decide/decide.ts";
export { newlyOwed, overdueTimers, type Owed } from "./decide/owed.ts";
export { definedOnly } from "./defined-only.ts";
export { dependenciesOf } from "./dependencies.ts";
export { directPlan, WRITER } from "./direct-plan.ts";
export {
  type AdoptedStep,
  createDraftAdopter,
  type DraftAdopter,
  type EarlierStep,
} from "./draft/draft-adopter.ts";
export type { DraftEnd, DraftHandlers, DraftParser } from "./draft/draft-end.ts";
export { createDraftParser } from "./draft/draft-parser.ts";
export { draftSchema } from "./draft/draft-schema.ts";
export { createLinesParser, LINES_BEGIN } from "./draft/lines-parser.ts";
export { listsIn } from "./lists-in.ts";
export { describeArguments, toolSignature } from "./draft/tool-signature.ts";
export { toolNameFor } from "./draft/field-names.ts";
export { parseLenientJson } from "./draft/mend-json.ts";
export { normalizeDraftStep } from "./draft/normalize-draft-step.ts";
export { fromWire, toWire, toWireText, WIRE_JSON, WIRE_REFERENCE } from "./draft/wire-references.ts";
export {
  type ListedPlan,
  type ListedStep,
  type ListRules,
  parseNumberedList,
} from "./draft/numbered-list.ts";
export { PlanArchived } from "./events/archive-events.ts";
export { DeleteRequested, PlanDeleted } from "./events/deletion-events.ts";
export {
  ApprovalDecided,
  ApprovalDecision,
  ApprovalId,
  ApprovalKind,
  ApprovalRequested,
} from "./events/approval-events.ts";
export { FEEDBACK_MAX, FeedbackGiven, Rating } from "./events/feedback-events.ts";
export { CarriedFile, CarriedStep, ForkOrigin } from "./events/fork.ts";
export { type Fork, forkPlan, type ForkRefusal } from "./fork.ts";
export { type LateEffect, followUpGoal, lateEffectsOf } from "./decide/late-effects.ts";
export { CancelRequested, GoalSubmitted, PauseRequested, ResumeRequested } from "./events/control-events.ts";
export { DraftAbandoned, DraftStarted, PlanRevised, PlanSealed, StepPlanned } from "./events/draft-events.ts";
export {
  AnswerDrafted,
  AnswerGiven,
  JoinAbandoned,
  PlanEnded,
  RevisionRequested,
  TimerFired,
} from "./events/outcome-events.ts";
export { type EventType, PlanEvent } from "./events/plan-event.ts";
export { RevisionCause } from "./events/revision-cause.ts";
export { CODE_RUN, PROGRAM_CALLS_MAX } from "./code-run.ts";
export { CallStarted, LOOP_CALLS_MAX, TURNS_MAX, TurnStarted, TurnTaken } from "./events/turn-events.ts";
export { FactRecorded } from "./events/fact-events.ts";
export { ParentStep } from "./events/sub-plan-values.ts";
export { ActionValue, NodesValued } from "./events/search-events.ts";
export { AnswerReviewed, PlanReviewed, StepReviewed, Verdict } from "./events/review-events.ts";
export { eventOf, readEvent } from "./events/read-event.ts";
export { StepExpanded } from "./events/item-events.ts";
export {
  MODEL_UNAVAILABLE,
  ModelFailed,
  ModelTries,
  ModelWork,
} from "./events/model-events.ts";
export { LogDamaged, RedriveRequested } from "./events/repair-events.ts";
export {
  AskedCall,
  DELIVERIES_EXHAUSTED,
  StepAsked,
  StepError,
  StepFailed,
  StepInterrupted,
  StepSkipped,
  StepStarted,
  StepSucceeded,
} from "./events/step-events.ts";
export {
  Answer,
  AnswerStatus,
  ArtifactRef,
  broughtBy,
  Issue,
  Outcome,
  PlanTrace,
  StepOutput,
  ToolGrant,
  TURN_CALLS_MAX,
  Usage,
  Via,
} from "./events/values.ts";
export { ACCEPTS_VERSION, accepts, counts, evolve } from "./evolve.ts";
export { EffectView } from "./effect-view.ts";
export { effectKey, fnv1a32, PARTITIONS, PlanId, partitionOf, StepId } from "./ids.ts";
export { grantsOf, withAgent } from "./grants-of.ts";
export { followUpWork, resumedWork } from "./follow-ups.ts";
export { type EstimateFrom, estimateRun, expectedMs } from "./estimate/estimate-run.ts";
export { RunEstimate } from "./estimate/run-estimate.ts";
export { kindKey, kindOf, mergeRuns, runTold, type StepKind, type StepRuns } from "./estimate/step-runs.ts";
export { FiguredOutcome, figuresOf, PlanFigures, PlannedBy } from "./figures/plan-figures.ts";
export { PlanTally } from "./figures/plan-tally.ts";
export { addToolTally, ToolTally } from "./figures/tool-tally.ts";
export { mergeClaims } from "./facts/merge-claims.ts";
export { InputText } from "./summarize/input-text.ts";
export { summarizePlan } from "./summarize/summarize-plan.ts";
export {
  CLAIMS_MAX,
  FactClaim,
  factKey,
  FactValue,
  type OpenQuestion,
  ReplacedPlan,
  StatePatch,
} from "./facts/fact.ts";
export { type Fact, type FactRecord, factsOf } from "./facts/fact-ledger.ts";
export { FactView } from "./facts/fact-view.ts";
export { continuityOf } from "./facts/continuity.ts";
export { FactsPolicy, PAYLOAD_BYTES_MAX } from "./facts/facts-policy.ts";
export { grantOf } from "./grant-of.ts";
export { isAttemptWanted } from "./is-attempt-wanted.ts";
export { isJsonObject, type Json, JsonObject, JsonValue, nestsDeeper } from "./json.ts";
export { LIMITS, type Limits, OUTPUT_INLINE_BYTES_MAX } from "./limits.ts";
export { ItemView } from "./item-view.ts";
export { missingBefore } from "./missing-before.ts";
export { type Insertion, insertionsIn, type Templates } from "./own-words.ts";
export { onlySink } from "./only-sink.ts";
export { HUMAN_ASK, isOwnerTool, OWNER_TOOLS, PLAN_RUN, SubPlanRequest } from "./owner-tools.ts";
export { Lesson, PAST_GOAL_CHARS, PAST_PLANS_MAX, PastPlan } from "./past-plans/past-plan.ts";
export { partialAnswer } from "./partial-answer.ts";
export { Compensation, PlanDocument, RetryPolicy, Step, Strategy } from "./plan-language.ts";
export { outlineOf, PlanOutline } from "./plan-outline.ts";
export { ApprovalView, approvalView, approvalViews } from "./approval-view.ts";
export { PlanView, viewOf } from "./plan-view.ts";
export { type KnownTimes, type Progress, progressOf, withSubPlans } from "./progress.ts";
export { findReferences, isReferenceObject, parseReference, SECRET_NAME } from "./references.ts";
export {
  loadArtifactValues,
  resolveReferences,
  UnresolvedReferenceError,
  valueAt,
} from "./resolve-references.ts";
export { resolveArguments } from "./resolve-arguments.ts";
export { RETRY_DELAY_MS, RETRY_DELAY_MS_MAX, retryDelayMs } from "./retry-delay.ts";
export { type Route, routeGoal } from "./route-goal.ts";
export { after, sequence } from "./sequence-plan.ts";
export { standingOf } from "./state/standing.ts";
export { stepsToKeep } from "./steps-to-keep.ts";
export { stepsBeside } from "./state/plan-gate.ts";
export { begunCall } from "./state/call-ledger.ts";
export {
  callsToMake,
  type CallName,
  callToken,
  comesNext,
  isCallNamed,
  type MissingCall,
  missingCalls,
  turnNumber,
  withOutcome,
} from "./state/loop-calls.ts";
export type { CallLeave, CallRecord } from "./state/step-records.ts";
export { choicesOf, isPending } from "./state/approval-transitions.ts";
export { wantsFactsOf } from "./state/knowledge.ts";
export { allRuns, itemOf, itemsOf, nameOf, type RunName, runOf } from "./state/runs.ts";
export { deliveredBy } from "./state/standing.ts";
export { type RedriveRefusal, redriveRefusal } from "./state/redrive.ts";
export {
  type Approval,
  isEnded,
  isHalted,
  type KnownPlan,
  noPlan,
  type Plan,
  type PlanStatus,
  type StepEntry,
  type StepState,
  type OpenTurn,
  type Turn,
} from "./state/plan-state.ts";
export { replansLeft } from "./state/drafting-state.ts";
export { draftedAnswer, isAnswerJudged, isToBeRewritten } from "./state/answer-drafts.ts";
export { answerReviewOf, planReviewOf, ReviewPolicy, StepReview, stepReviewOf } from "./review-policy.ts";
export { SourceName, Submission } from "./submission.ts";
export { programSource } from "./code-plan/program-source.ts";
export { PlanStrategy, planStrategy } from "./plan-strategy.ts";
export { editSubmission, submissionOf } from "./submission-of.ts";
export { depthOf, pausedWith, subPlanId, type SubPlanSubmission } from "./decide/sub-plan-work.ts";
export { succeededSteps, tellResults } from "./tell-results.ts";
export { Effect, JsonSchema, PoolName, Risk, SecretUse, ToolName, ToolSpec } from "./tool-spec.ts";
export {
  type Expansion,
  expansionOf,
  onBestPath,
  type TriedAction,
  valuedActions,
} from "./tree-search/expansion.ts";
export { SearchSettings } from "./tree-search/search-settings.ts";
export {
  backpropagate,
  bestPath,
  expandNode,
  pathTo,
  SEED,
  type SearchNode,
  type SearchTree,
  selectLeaf,
  uctOf,
} from "./tree-search/search-tree.ts";
export { SearchView } from "./tree-search/search-view.ts";
export { CritiqueWork, DraftWork, FactsWork, JoinWork, ReviewWork, StepWork } from "./work.ts";
export { StepView } from "./step-view.ts";
export * from "./policy/index.ts";
export * from "./sharing/index.ts";
