/**
 * What the gateway refuses and why: one table of stable codes, for HTTP and for the WebSocket.
 *
 * Codes never change their meaning; clients decide by them.
 */
import { z } from "zod";

export const PROBLEMS = {
  malformed_json: { status: 400, title: "The body is not JSON" },
  malformed_protobuf: { status: 400, title: "The body is not Protocol Buffers" },
  invalid_request: { status: 400, title: "The request is not as it should be" },
  redacted_value: { status: 400, title: "The request contains a redacted value" },
  unauthorized: { status: 401, title: "Valid credentials are needed" },
  foreign_origin: { status: 403, title: "Requests from other sites are refused" },
  foreign_host: { status: 403, title: "The request was meant for another host" },
  role_required: { status: 403, title: "The role does not permit it" },
  not_assigned: { status: 403, title: "The identity provider assigns no access" },
  sign_in_failed: { status: 403, title: "The sign-in failed" },
  not_an_approver: { status: 403, title: "This key may not decide the approval" },
  redacted_for_role: { status: 403, title: "The redaction rules hide this from the role" },
  denied_by_policy: { status: 403, title: "The installation's policy forbids this" },
  not_found: { status: 404, title: "There is nothing here" },
  plan_not_found: { status: 404, title: "There is no such plan" },
  step_not_found: { status: 404, title: "The plan has no such step" },
  approval_not_found: { status: 404, title: "There is no such approval" },
  artifact_not_found: { status: 404, title: "The plan has no such artifact" },
  source_not_found: { status: 404, title: "There is no such data source" },
  dead_letter_not_found: { status: 404, title: "There is no such dead letter" },
  key_not_found: { status: 404, title: "There is no such key" },
  retry_refused: { status: 409, title: "This dead letter cannot be retried" },
  plan_not_paused: { status: 409, title: "The plan is not paused" },
  step_not_settled: { status: 409, title: "The step has not come to its end" },
  source_configured: { status: 409, title: "The installation has a data source of this name" },
  data_limit_reached: { status: 409, title: "The tenant has as much data as it may have" },
  fork_refused: { status: 409, title: "The plan cannot be forked there" },
  plan_not_ended: { status: 409, title: "The plan has not ended" },
  feedback_given: { status: 409, title: "Enough has been said of this plan" },
  plan_is_sub_plan: { status: 409, title: "The plan is a sub-plan" },
  plan_ended: { status: 409, title: "The plan has already ended" },
  approval_decided: { status: 409, title: "The approval was decided before" },
  approval_expired: { status: 409, title: "The approval has expired" },
  approval_withdrawn: { status: 409, title: "Nobody waits for the approval any more" },
  keys_not_set: { status: 409, title: "The gateway has no keys" },
  key_limit_reached: { status: 409, title: "There are as many keys as there may be" },
  plan_deleted: { status: 410, title: "The plan was deleted" },
  body_too_large: { status: 413, title: "The body is too large" },
  unsupported_media_type: { status: 415, title: "This kind of body is not understood" },
  invalid_plan: { status: 422, title: "The plan has faults" },
  invalid_edits: { status: 422, title: "The edited arguments are not what the tool takes" },
  invalid_data: { status: 422, title: "The data cannot be used" },
  unknown_tool: { status: 422, title: "There is no such tool" },
  data_required: { status: 422, title: "The strategy needs one data source" },
  unknown_source: { status: 422, title: "There is no such data source" },
  model_needed: { status: 422, title: "This needs a language model" },
  price_unknown: { status: 422, title: "What a model costs is not known" },
  idempotency_key_reused: { status: 422, title: "The idempotency key was used for another request" },
  upgrade_needed: { status: 426, title: "This is a WebSocket" },
  rate_limited: { status: 429, title: "Too many requests" },
  too_many_submissions: { status: 429, title: "Too many plans are being submitted at once" },
  too_many_open_plans: { status: 429, title: "Too many plans have not ended" },
  quota_reached: { status: 429, title: "A quota is used up" },
  too_many_watchers: { status: 429, title: "The plan is watched by too many" },
  internal: { status: 500, title: "Something went wrong here" },
  model_failed: { status: 502, title: "The model gave no usable reply" },
  no_planner: { status: 503, title: "No planner is running" },
  not_ready: { status: 503, title: "The system is still starting" },
  store_full: { status: 503, title: "The store has no room for more" },
  overloaded: { status: 503, title: "The gateway has too much to do" },
  unavailable: { status: 503, title: "A part of the system does not answer" },
} as const;
export type ProblemCode = keyof typeof PROBLEMS;

/** Refusals that any call may answer with. */
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

/** The refusal of any call that not every role may make. */
export const ROLE_PROBLEMS = ["role_required"] as const satisfies readonly ProblemCode[];

/** Refusals that any call with a body may answer with. */
export const BODY_PROBLEMS = [
  "malformed_json",
  "redacted_value",
  "body_too_large",
  "unsupported_media_type",
] as const satisfies readonly ProblemCode[];

/** The content type of a refusal, by RFC 9457. */
export const PROBLEM_TYPE = "application/problem+json";

export const FieldIssue = z.object({
  field: z.string().meta({ description: "The path of the field, such as `review.plan` or `tools[0]`." }),
  message: z.string().meta({ description: "What was wanted and what came." }),
  stepId: z.string().optional().meta({ description: "Of a plan: the step that is at fault." }),
  code: z.string().optional().meta({ description: "Of a plan: the kind of fault, stable." }),
});
/** One fault of a request: where, and what was wanted. */
export type FieldIssue = z.output<typeof FieldIssue>;

const CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

export const ProblemBody = z
  .object({
    type: z.string().meta({ description: "`urn:planwright:problem:` and the code." }),
    title: z.string().meta({ description: "The meaning of the code." }),
    status: z.int(),
    code: z.enum(CODES).meta({ description: "Stable: decide by it." }),
    detail: z.string().meta({ description: "What was wanted and what came, for users." }),
    issues: z.array(FieldIssue).optional().meta({ description: "Every fault, where there may be several." }),
    retryAfterSeconds: z.number().optional().meta({ description: "When to try again; as `Retry-After`." }),
  })
  .meta({ description: "A refusal, by RFC 9457." });
export type ProblemBody = z.output<typeof ProblemBody>;
