/** The data that the gateway sends and accepts, as the contract's types; the gateway serves the page that uses it. */
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
  DeadLetter,
  DeadLetterGroup,
  EventPage,
  Metrics,
  MetricsRange,
  NumberedEvent,
  PendingApproval,
  Period,
  PlanCount,
  PlanEvent,
  PlanMetrics as Figures,
  PlanPage,
  PlanStatus,
  PlanSort,
  PlanSummary,
  PlanView,
  Preview,
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
/** The submission that the form builds from a goal and its options. */
export type GoalRequest = SubmissionInput & { readonly strategy: Strategy };
/** The submission that runs a plan again. */
export type Submission = GoalRequest;
