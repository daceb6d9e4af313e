export type { Command, SubPlanCommand } from "./decide/command.ts";
export { AGENT_REACT } from "./language/tool-names.ts";
export { grantOf, grantsOf, withAgent } from "./language/grants-of.ts";
export { ToolTally, PlanTally } from "./events/plan-tally.ts";
export { effectKey, partitionOf, PARTITIONS, PlanId, StepId } from "./values/ids.ts";
export { addUsage, NO_USAGE } from "./values/add-usage.ts";

export {
  type Agents,
  AgentType,
  NO_AGENTS,
  POOL_CONCURRENCY_MAX,
  poolOfType,
} from "./language/agent-type.ts";
export { checkSources } from "./sources/check-sources.ts";
export { knownSources } from "./sources/known-sources.ts";
export { unsourcedSentences } from "./sources/unsourced-sentences.ts";
export { answerInstead } from "./machine/ending/answer-from.ts";
export { incompletenessOf, isMadeUpFor, missingResults } from "./machine/ending/shortcomings.ts";
export { OUTCOME_TABLE } from "./machine/ending/conclusion.ts";
export { ApprovalPolicy } from "./machine/approval/approval-policy.ts";
export { EGRESS_DEFAULT, ComposedUrl, EgressRule } from "./egress/egress-rule.ts";
export { AuditBreak, AuditEntry } from "./values/audit-chain.ts";
export { parseHost, secretFault } from "./arguments/secret-fault.ts";
export { findSecrets, type SecretReference } from "./arguments/secret-references.ts";
export { reachesOut, urlArguments } from "./egress/url-arguments.ts";
export { argumentsHash } from "./values/arguments-hash.ts";
export {
  Allowance,
  Budget,
  BudgetLimits,
  BudgetRaise,
  Forfeit,
  StoredBudget,
  wholeOf,
} from "./language/budget.ts";
export { checkFinalArguments } from "./check/check-final-arguments.ts";
export { canonicalJson } from "./values/canonical-json.ts";

export { checkPlan } from "./check/check-plan.ts";
export { issuesOfTies, checkStep, type DraftSoFar } from "./check/check-step.ts";
export { PlanSize, sizeIssueOf } from "./check/plan-size.ts";
export { describeZodIssue } from "./check/describe-zod-issue.ts";
export type { CodeLanguage } from "./code-plan/blank-literals.ts";
export { checkProgram, issuesOfProgram, type Program, extractProgram } from "./code-plan/extract-program.ts";
export { codePlan, DATA_APPLY, DATA_DRYRUN } from "./code-plan/code-plan.ts";
export { checkChanges, violationsInWords, DataRules, TableRules } from "./data-rules/check-changes.ts";
export { strayRules } from "./data-rules/stray-rules.ts";
export { Cell, Cells, nameOfRow, RowChange } from "./data-rules/row-change.ts";
export { criticalPath } from "./view/critical-path.ts";
export { failureOf } from "./decide/attempt-fault.ts";
export { decide } from "./decide/decide.ts";
export { decideAhead } from "./decide/decide-ahead.ts";
export { newlyOwed, overdueTimers } from "./decide/owed.ts";
export { definedOnly } from "./values/defined-only.ts";
export { dependenciesOf } from "./language/dependencies.ts";
export { directPlan, WRITER } from "./language/direct-plan.ts";
export { createDraftAdopter, type DraftAdopter } from "./draft/draft-adopter.ts";
export type { DraftEnd, DraftHandlers, DraftParser } from "./draft/draft-end.ts";
export { createDraftParser } from "./draft/draft-parser.ts";
export { draftSchema } from "./draft/draft-schema.ts";
export { createLinesParser, LINES_BEGIN } from "./draft/lines-parser.ts";
export { listsIn } from "./values/lists-in.ts";
export { describeArguments, toolSignature } from "./draft/tool-signature.ts";
export { toolNameFor } from "./draft/field-names.ts";
export { parseLenientJson } from "./draft/mend-json.ts";
export { normalizeDraftStep } from "./draft/normalize-draft-step.ts";
export { fromWire, toWire, toWireText, WIRE_JSON, WIRE_REFERENCE } from "./draft/wire-references.ts";
export { parseNumberedList } from "./draft/numbered-list.ts";
export {
  PlanArchived,
  PlanEvent,
  DeleteRequested,
  PlanDeleted,
  LogDamaged,
  RedriveRequested,
  FactRecorded,
} from "./events/plan-event.ts";
export {
  ApprovalDecided,
  ApprovalDecision,
  ApprovalKind,
  ApprovalRequested,
} from "./events/approval-events.ts";
export { FEEDBACK_MAX, FeedbackGiven, Rating } from "./events/feedback-events.ts";
export { CarriedStep, ForkOrigin, CarriedFile } from "./events/fork.ts";
export { type Fork, forkPlan, type ForkRefusal } from "./machine/fork.ts";
export { followUpGoal, type LateEffect, lateEffectsOf } from "./decide/late-effects.ts";
export {
  CancelRequested,
  GoalSubmitted,
  PauseRequested,
  ResumeRequested,
  ParentStep,
} from "./events/control-events.ts";
export {
  DraftAbandoned,
  DraftStarted,
  PlanRevised,
  PlanSealed,
  StepPlanned,
  RevisionCause,
} from "./events/draft-events.ts";
export {
  AnswerDrafted,
  AnswerGiven,
  JoinAbandoned,
  PlanEnded,
  RevisionRequested,
  TimerFired,
} from "./events/outcome-events.ts";
export type { EventHead } from "./events/define-event.ts";
export { CODE_RUN, PROGRAM_CALLS_MAX } from "./arguments/code-run.ts";
export { CallStarted, LOOP_CALLS_MAX, TURNS_MAX, TurnStarted, TurnTaken } from "./events/turn-events.ts";
export { callToken } from "./values/call-name.ts";
export { ActionValue, NodesValued } from "./events/search-events.ts";
export { AnswerReviewed, PlanReviewed, StepReviewed, Verdict } from "./events/review-events.ts";
export {
  BATCH_EVENTS_MAX,
  batchId,
  batchText,
  cutBatches,
  type ReadRecord,
  readRecords,
} from "./events/record-batch.ts";
export { ModelFailed, ModelTries, ModelWork } from "./events/model-events.ts";
export {
  AskedCall,
  StepAsked,
  StepError,
  StepFailed,
  StepInterrupted,
  StepStarted,
  UnitClosed,
  StepSucceeded,
  StepSkipped,
} from "./events/step-events.ts";
export {
  Answer,
  AnswerStatus,
  ArtifactRef,
  Issue,
  Outcome,
  PlanTrace,
  StepOutput,
  ToolGrant,
  TURN_CALLS_MAX,
  UnitId,
  Usage,
} from "./events/values.ts";
export { ACCEPTS_VERSION, counts, evolve } from "./machine/evolve.ts";
export { EffectView } from "./view/effect-view.ts";
export { UnitCourse } from "./decide/unit-course.ts";
export { workOfUnit } from "./decide/unit-work.ts";
export { type RemainingPath, remainingPaths } from "./view/estimate/remaining-path.ts";
export {
  type EstimateFrom,
  estimateRun,
  expectedMs,
  kindKey,
  kindOf,
  mergeRuns,
  runTold,
  type StepKind,
  type StepRuns,
  RunEstimate,
} from "./view/estimate/estimate-run.ts";
export { FiguredOutcome, PlanFigures, PlannedBy } from "./view/plan-figures.ts";

export { mergeClaims } from "./facts/merge-claims.ts";
export { InputText } from "./summarize/input-text.ts";
export { summarizePlan } from "./summarize/summarize-plan.ts";
export { CLAIMS_MAX, FactClaim, FactValue, StatePatch } from "./facts/fact.ts";
export { type Fact, factsOf } from "./facts/fact-ledger.ts";
export { FactView } from "./facts/fact-view.ts";
export { continuityOf } from "./facts/continuity.ts";
export { FactsPolicy } from "./facts/facts-policy.ts";

export { isWorkWanted, type WorkSent } from "./decide/is-work-wanted.ts";
export { isJsonObject, type Json, JsonObject, JsonValue, nestsDeeper, parseJson } from "./values/json.ts";
export { LIMITS, OUTPUT_INLINE_BYTES_MAX } from "./values/limits.ts";
export { ItemView } from "./view/item-view.ts";
export { LogReading } from "./machine/log-reading.ts";
export { type Insertion, insertionsIn, type Templates } from "./arguments/own-words.ts";
export { onlySink } from "./language/only-sink.ts";
export { isOwnerTool, OWNER_TOOLS, PLAN_RUN, SubPlanRequest } from "./language/owner-tools.ts";
export { Lesson, PAST_GOAL_CHARS, PAST_PLANS_MAX, PastPlan } from "./draft/past-plan.ts";
export { partialAnswer, succeededSteps, tellResults } from "./machine/ending/partial-answer.ts";
export { Compensation, PlanDocument, RetryPolicy, Step, Strategy } from "./language/plan-language.ts";
export { outlineOf, PlanOutline } from "./view/plan-outline.ts";
export { ApprovalView, approvalView, approvalViews } from "./view/approval-view.ts";
export { PlanView, viewOf } from "./view/plan-view.ts";
export { type KnownTimes, type Progress, progressOf, withSubPlans } from "./view/progress.ts";
export { SECRET_NAME } from "./language/references.ts";
export { loadArtifactValues, UnresolvedReferenceError } from "./arguments/resolve-references.ts";
export { resolveArguments } from "./arguments/resolve-arguments.ts";
export { routeGoal } from "./language/route-goal.ts";
export { after, sequence } from "./language/sequence-plan.ts";
export { deliveredBy, standingOf } from "./machine/links/standing.ts";
export { stepsToKeep } from "./machine/drafting/steps-to-keep.ts";
export { stepsBeside } from "./machine/approval/plan-gate.ts";
export { begunCall } from "./machine/loop/call-ledger.ts";
export {
  callsToMake,
  comesNext,
  isCallNamed,
  type MissingCall,
  missingCalls,
  turnNumber,
  withOutcome,
} from "./machine/loop/loop-calls.ts";
export type { CallLeave, CallRecord } from "./machine/step/step-records.ts";
export { choicesOf, isPending } from "./machine/approval/approval-transitions.ts";
export { allRuns, itemOf, runOf } from "./machine/step/runs.ts";
export { type RedriveRefusal, redriveRefusal } from "./machine/step/redrive.ts";
export {
  type Approval,
  isEnded,
  isHalted,
  type KnownPlan,
  noPlan,
  type OpenTurn,
  type Plan,
  type StepEntry,
  type Turn,
} from "./machine/plan-state.ts";
export { onAnswerSteps, strategyOf } from "./machine/drafting/strategies.ts";
export { draftedAnswer, isAnswerJudged, isToBeRewritten } from "./machine/review/answer-drafts.ts";
export { ReviewPolicy, StepReview } from "./machine/review/review-policy.ts";
export { SourceName, Submission } from "./language/submission.ts";
export { programSource } from "./code-plan/program-source.ts";
export { PlanStrategy, planStrategy } from "./language/plan-strategy.ts";
export { editSubmission, goalOf, submissionOf } from "./language/submission-of.ts";
export { depthOf, pausedWith, subPlanId } from "./decide/sub-plan-work.ts";
export { Effect, JsonSchema, PoolName, Risk, SecretUse, ToolName, ToolSpec } from "./language/tool-spec.ts";
export {
  type Expansion,
  expansionOf,
  type TriedAction,
  valuedActions,
} from "./tree-search/expansion.ts";
export { SearchSettings } from "./tree-search/search-settings.ts";
export { SearchView } from "./tree-search/search-view.ts";
export {
  CritiqueWork,
  DraftWork,
  FactsWork,
  JoinWork,
  ReviewWork,
  PoolWork,
  StepWork,
  UnitWork,
} from "./events/work.ts";
export { StepView } from "./view/step-view.ts";
export { alwaysWaits, waitsForApproval } from "./machine/approval/approval-gates.ts";
export { planReviewOf } from "./machine/review/review-gates.ts";
export { MODEL_UNAVAILABLE, DELIVERIES_EXHAUSTED, ALLOWANCE_SPENT } from "./values/codes.ts";
export { firstStepOf } from "./values/unit-id.ts";
export { addToolTally } from "./values/add-tallies.ts";
export { PAYLOAD_BYTES_MAX } from "./facts/keeps-facts.ts";
export { fnv1a32 } from "./values/fnv1a.ts";
export * from "./policy/index.ts";
export * from "./sharing/index.ts";
