/**
 * The gateway's refusals and their reasons: one table of stable codes for HTTP and the WebSocket.
 *
 * The meaning of a code never changes, because clients depend on it.
 */
import { z } from "zod";

export const PROBLEMS = {
  malformed_json: { status: 400, title: "Request body is not valid JSON" },
  malformed_protobuf: { status: 400, title: "Request body is not valid Protocol Buffers" },
  invalid_request: { status: 400, title: "Invalid request" },
  redacted_value: { status: 400, title: "Request contains a redacted value" },
  unauthorized: { status: 401, title: "Valid credentials required" },
  foreign_origin: { status: 403, title: "Cross-site request refused" },
  foreign_host: { status: 403, title: "Unknown host" },
  role_required: { status: 403, title: "Role does not permit this" },
  not_assigned: { status: 403, title: "No access assigned by the identity provider" },
  sign_in_failed: { status: 403, title: "Sign-in failed" },
  not_an_approver: { status: 403, title: "Not an approver" },
  redacted_for_role: { status: 403, title: "Hidden from this role by redaction rules" },
  denied_by_policy: { status: 403, title: "Denied by policy" },
  not_found: { status: 404, title: "Not found" },
  plan_not_found: { status: 404, title: "Plan not found" },
  step_not_found: { status: 404, title: "Step not found" },
  approval_not_found: { status: 404, title: "Approval not found" },
  artifact_not_found: { status: 404, title: "Artifact not found" },
  source_not_found: { status: 404, title: "Data source not found" },
  dead_letter_not_found: { status: 404, title: "Dead letter not found" },
  key_not_found: { status: 404, title: "Key not found" },
  retry_refused: { status: 409, title: "Dead letter cannot be retried" },
  plan_not_paused: { status: 409, title: "Plan is not paused" },
  step_not_settled: { status: 409, title: "Step has not finished" },
  source_configured: { status: 409, title: "Name is taken by a configured data source" },
  data_limit_reached: { status: 409, title: "Data limit reached" },
  fork_refused: { status: 409, title: "Plan cannot be forked at this step" },
  plan_not_ended: { status: 409, title: "Plan has not finished" },
  feedback_given: { status: 409, title: "Feedback limit reached" },
  plan_is_sub_plan: { status: 409, title: "Plan is a sub-plan" },
  plan_ended: { status: 409, title: "Plan has already finished" },
  approval_decided: { status: 409, title: "Approval already decided" },
  approval_expired: { status: 409, title: "Approval expired" },
  approval_withdrawn: { status: 409, title: "Approval no longer pending" },
  keys_not_set: { status: 409, title: "API keys are not configured" },
  key_limit_reached: { status: 409, title: "Key limit reached" },
  plan_deleted: { status: 410, title: "Plan was deleted" },
  body_too_large: { status: 413, title: "Request body too large" },
  unsupported_media_type: { status: 415, title: "Unsupported content type" },
  invalid_plan: { status: 422, title: "Invalid plan" },
  invalid_edits: { status: 422, title: "Edited arguments do not match the tool" },
  invalid_data: { status: 422, title: "Invalid data" },
  unknown_tool: { status: 422, title: "Unknown tool" },
  data_required: { status: 422, title: "Strategy needs exactly one data source" },
  unknown_source: { status: 422, title: "Unknown data source" },
  model_needed: { status: 422, title: "Language model required" },
  price_unknown: { status: 422, title: "Unknown model price" },
  idempotency_key_reused: { status: 422, title: "Idempotency key reused for a different request" },
  upgrade_needed: { status: 426, title: "WebSocket upgrade required" },
  rate_limited: { status: 429, title: "Too many requests" },
  too_many_submissions: { status: 429, title: "Too many concurrent submissions" },
  too_many_open_plans: { status: 429, title: "Too many open plans" },
  quota_reached: { status: 429, title: "Quota exceeded" },
  too_many_watchers: { status: 429, title: "Too many watchers for this plan" },
  internal: { status: 500, title: "Internal error" },
  model_failed: { status: 502, title: "Model returned no usable reply" },
  no_planner: { status: 503, title: "No planner available" },
  not_ready: { status: 503, title: "System is starting" },
  store_full: { status: 503, title: "Storage full" },
  overloaded: { status: 503, title: "Gateway overloaded" },
  unavailable: { status: 503, title: "Service unavailable" },
} as const;
export type ProblemCode = keyof typeof PROBLEMS;

/** Refusals that any call may return. */
export const COMMON_PROBLEMS = [
  "invalid_request",
  "unauthorized",
  "not_assigned",
  "foreign_origin",
  "foreign_host",
  "rate_limited",
  "internal",
  "overloaded",
  "unavailable",
] as const satisfies readonly ProblemCode[];

/** The refusal of any call that is restricted to some roles. */
export const ROLE_PROBLEMS = ["role_required"] as const satisfies readonly ProblemCode[];

/** Refusals that any call with a body may return. */
export const BODY_PROBLEMS = [
  "malformed_json",
  "redacted_value",
  "body_too_large",
  "unsupported_media_type",
] as const satisfies readonly ProblemCode[];

/** The content type of a refusal (RFC 9457). */
export const PROBLEM_TYPE = "application/problem+json";

export const FieldIssue = z.object({
  field: z.string().meta({ description: "The path of the field, such as `review.plan` or `tools[0]`." }),
  message: z.string().meta({ description: "What was expected and what was received." }),
  stepId: z.string().optional().meta({ description: "For a plan: the step with the problem." }),
  code: z.string().optional().meta({ description: "For a plan: the stable code of the problem." }),
});
/** A fault in a request: its location, and the expected value. */
export type FieldIssue = z.output<typeof FieldIssue>;

const CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

export const ProblemBody = z
  .object({
    type: z.string().meta({ description: "`urn:planwright:problem:` followed by the code." }),
    title: z.string().meta({ description: "The meaning of the code." }),
    status: z.int(),
    code: z.enum(CODES).meta({ description: "Stable; use it for decisions in programs." }),
    detail: z.string().meta({
      description: "Description of the problem for users: what was expected and what was received.",
    }),
    issues: z.array(FieldIssue).optional().meta({ description: "All problems, if there can be several." }),
    retryAfterSeconds: z.number().optional().meta({ description: "When to retry; same as `Retry-After`." }),
  })
  .meta({ description: "An error (RFC 9457)." });
export type ProblemBody = z.output<typeof ProblemBody>;
