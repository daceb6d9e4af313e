/** The client of Planwright: `new Planwright({ baseUrl, apiKey })`. */
export type {
  Accepted,
  Answer,
  AnswerStatus,
  ApprovalDecision,
  ApprovalView,
  ArtifactRef,
  AuditBreak,
  AuditEntry,
  Caller,
  SignedOut,
  SignInOptions,
  CreatedKey,
  CreateKeyBody,
  DeadLetter,
  DeadLetterDetail,
  DeadLetterPage,
  DecisionBody,
  EventPage,
  Feedback,
  FeedbackBody,
  FieldIssue,
  KeyInfo,
  KeyList,
  Metrics,
  MetricsRange,
  ModelCheck,
  NumberedEvent,
  PendingApproval,
  PendingApprovals,
  PlanCheck,
  PlanCounts,
  PlanEvent,
  PlanPage,
  PlanSort,
  PlanState,
  PlanStatus,
  PlanSummary,
  PlanView,
  Preview,
  ProblemCode,
  Quota,
  SortOrder,
  SourceInfo,
  StepView,
  Submission,
  SubmissionInput,
  System,
  Tools,
  ToolSpec,
  Trace,
  Worker,
  Workers,
} from "@planwright/api";
export type { BuiltInTools } from "./builder/built-in-tools.ts";
export {
  type BuiltPlan,
  plan,
  type PlanBuilder,
  type StepHandle,
  type StepOptions,
  type ToolName,
  type ToolTypes,
} from "./builder/plan.ts";
export type { Input, Ref, RefTo, UnknownRef } from "./builder/reference.ts";
export type { Json, JsonObject } from "@planwright/plan";
export {
  ConnectionError,
  isProblem,
  PlanFailedError,
  PlanwrightError,
  ProblemError,
  RequestTimeoutError,
  UnexpectedResponseError,
  WaitTimeoutError,
} from "./errors.ts";
export { type EndpointId, ROUTES } from "./http/routes.ts";
export { mayPass } from "./http/transport.ts";
export type { Live } from "./live/live.ts";
export type { ConnectionState } from "./live/reconnecting-socket.ts";
export type { ListChanges, ListListener } from "./live/list-watch.ts";
export type { EventListener, ViewChanges, ViewListener } from "./live/watches.ts";
export type {
  FollowOptions,
  PlanwrightOptions,
  RequestOptions,
  SubmitOptions,
  Versions,
  WebSocketConstructor,
  WebSocketLike,
} from "./options.ts";
export { Planwright } from "./planwright.ts";
export type { Approvals, Decided } from "./resources/approvals.ts";
export type { Artifacts } from "./resources/artifacts.ts";
export type { DataApi, Upload } from "./resources/data.ts";
export type { DeadLetterQuery, DeadLetters } from "./resources/dead-letters.ts";
export type { AuditApi, AuditQuery } from "./resources/audit.ts";
export type { KeysApi } from "./resources/keys.ts";
export type { SessionApi } from "./resources/session.ts";
export type { Pages } from "./resources/pages.ts";
export type { EndedPlan, Fork, PlanQuery, Plans } from "./resources/plans.ts";
export type {
  McpApi,
  MetricsApi,
  MetricsQuery,
  QuotasApi,
  SystemApi,
  ToolsApi,
  TracesApi,
  WorkersApi,
} from "./resources/system.ts";
export type { WaitOptions } from "./resources/wait.ts";
export { VERSION } from "./version.ts";
