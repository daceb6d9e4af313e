/** What the gateway sends and takes, by the contract's types; the page is served by the gateway that it talks to. */
import type {
  DecisionBody,
  FeedbackBody,
  ForkBody,
  Metrics,
  Span,
  StepView,
  Strategy,
  SubmissionInput,
} from "@planwright/api";

export type {
  Accepted,
  Answer,
  AnswerStatus,
  ApprovalDecision as ApprovalChoice,
  ApprovalView as Approval,
  ArtifactRef,
  DataSources,
  DeadLetter,
  DeadLetterDetail,
  DeadLetterGroup,
  DeadLetterPage as DeadLetters,
  DeadLetterPage as LettersPage,
  EventPage,
  Metrics as Kpis,
  NumberedEvent,
  PendingApproval,
  PendingApprovals,
  Period,
  PlanCount,
  PlanCounts,
  PlanEvent,
  PlanMetrics as Figures,
  PlanPage,
  PlanStatus,
  PlanSummary,
  PlanView,
  PoolQueue,
  Preview,
  RetriedMany as Redriven,
  SourceInfo,
  Span,
  StepOutput,
  StepView,
  Strategy,
  System as SystemInfo,
  ToolSpec,
  Trace as TraceData,
  Worker,
  Workers,
} from "@planwright/api";
export type { Json, JsonObject, Outcome, RunEstimate } from "@planwright/plan";

/** A reviewer's decision about an approval. */
export type Decision = DecisionBody;
export type Fork = Omit<ForkBody, "fromStep"> & { readonly fromStep: string };
export type Rating = FeedbackBody;
export type PeriodFigures = NonNullable<Metrics["byPeriod"]>[number];
export type StepStatus = StepView["status"];
export type SpanAttributes = Span["attributes"];
/** What the form makes of a goal and its options. */
export type GoalRequest = SubmissionInput & { readonly strategy: Strategy };
/** The submission that runs a plan again. */
export type Submission = GoalRequest;
