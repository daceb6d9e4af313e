/** The HTTP, server-sent events and WebSocket contract: schemas, types and endpoints. No I/O, for servers and browsers alike. */
export {
  Answer,
  AnswerStatus,
  ApprovalDecision,
  ApprovalView,
  ArtifactRef,
  AuditBreak,
  AuditEntry,
  Issue,
  PlanDocument,
  PlanEvent,
  PlannedBy,
  PlanView,
  Rating,
  Role,
  Step,
  StepOutput,
  StepView,
  Strategy,
  Submission,
  ToolSpec,
  Usage,
} from "@planwright/plan";
export * from "./access.ts";
export * from "./answers.ts";
export * from "./approvals.ts";
export * from "./artifacts.ts";
export * from "./audit.ts";
export * from "./data.ts";
export * from "./dead-letters.ts";
export * from "./endpoint.ts";
export * from "./endpoints.ts";
export * from "./events.ts";
export * from "./keys.ts";
export * from "./mcp.ts";
export * from "./metrics.ts";
export * from "./openapi.ts";
export * from "./plan-ids.ts";
export * from "./plan-list.ts";
export * from "./plans.ts";
export * from "./problems.ts";
export * from "./openapi-schemas.ts";
export * from "./sign-in.ts";
export * from "./stream.ts";
export * from "./submissions.ts";
export * from "./system.ts";
export * from "./tools.ts";
export * from "./traces.ts";
export * from "./version-header.ts";
export * from "./quotas.ts";
export * from "./workers.ts";
