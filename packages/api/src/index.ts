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
export * from "./resources/approvals.ts";
export * from "./resources/artifacts.ts";
export * from "./resources/audit.ts";
export * from "./resources/data.ts";
export * from "./resources/dead-letters.ts";
export * from "./endpoint.ts";
export * from "./endpoints.ts";
export * from "./events.ts";
export * from "./resources/keys.ts";
export * from "./mcp.ts";
export * from "./resources/metrics.ts";
export * from "./openapi.ts";
export * from "./plan-ids.ts";
export * from "./resources/plan-list.ts";
export * from "./resources/plans.ts";
export * from "./problems.ts";
export * from "./openapi-schemas.ts";
export * from "./resources/sign-in.ts";
export * from "./stream.ts";
export * from "./resources/submissions.ts";
export * from "./resources/system.ts";
export * from "./resources/tools.ts";
export * from "./resources/traces.ts";
export * from "./version-header.ts";
export * from "./resources/quotas.ts";
export * from "./resources/workers.ts";
