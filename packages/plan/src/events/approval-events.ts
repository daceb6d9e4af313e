/**
 * Approvals: requests for a person's decision, and the decisions.
 *
 * The dispatcher requests each approval id once. The first decision that is stored counts.
 */
import { z } from "zod";
import { APPROVAL_EXPIRES_MS_MAX } from "../machine/approval/approval-policy.ts";
import { COMPOSED_SHOWN_MAX, ComposedUrl } from "../egress/egress-rule.ts";
import { StepId } from "../values/ids.ts";
import { Provenance } from "../policy/gate-policy.ts";
import { JsonObject, JsonValue } from "../values/json.ts";
import { Risk } from "../language/tool-spec.ts";
import { defineEvent, firstOnSubject } from "./define-event.ts";
import { Attempt, Item, ToolGrant } from "./values.ts";
import { ORIGINS_SHOWN_MAX } from "../values/limits.ts";

/** The origin of a call's argument, as recorded in events. */
export const ArgumentOrigin = z.object({
  argument: z.string().meta({ description: "Its name." }),
  author: z.enum(["user", "model", "plan"]).meta({
    description:
      "Who wrote the argument or the reference in it: the user, in a submitted plan; a model; or another plan, if this plan is its sub-plan, fork or follow-up.",
  }),
  tools: z.array(z.string()).optional().meta({
    description:
      "Tools whose outputs are part of the argument, or were read by the model that wrote it; absent if there are none.",
  }),
  content: z.enum(["web", "private"]).optional().meta({
    description:
      "What those outputs can contain: content from the public web, or private content. Absent if they contain only content of the plan itself.",
  }),
});
export type ArgumentOrigin = z.infer<typeof ArgumentOrigin>;

/**
 * One NATS subject token, derived from the request: `plan-1`, `risk-s1-0`, `ask-s1-0-1`, `unknown-s1-0-1`,
 * `unknown-s1-undo-1`, `call-s1-0-2-1`.
 */
export const ApprovalId = z.string().regex(/^[\w-]{1,100}$/);

/**
 * Why an approval is requested: the plan as a whole, the tool's risk, the planner's uncertainty, a step that is a
 * question, an effect whose outcome is unknown, or a budget that is used up.
 */
export const ApprovalKind = z.enum([
  "plan",
  "tool-risk",
  "confidence",
  "question",
  "outcome-unknown",
  "budget",
]);
export type ApprovalKind = z.infer<typeof ApprovalKind>;

/**
 * `happened` and `run-again` resolve an unknown outcome: the effect took place, or the step may be retried.
 * `answer` answers a question. `reject` fails the waiting step or plan.
 */
export const ApprovalDecision = z.enum(["approve", "reject", "answer", "happened", "run-again"]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

export const QUESTION_CHARS_MAX = 4_000;

export const ApprovalRequested = defineEvent("approval.requested", {
  approvalId: ApprovalId,
  kind: ApprovalKind,
  question: z
    .string()
    .max(QUESTION_CHARS_MAX)
    .meta({ description: "The question to the reviewer, as a sentence." }),
  stepId: StepId.optional().meta({
    description: "The step that needs approval; absent if the whole plan does.",
  }),
  item: Item.optional(),
  undo: z
    .literal(true)
    .optional()
    .meta({ description: "Set if the approval is about the step's compensation." }),
  attempt: Attempt.optional(),
  tool: z.string().optional(),
  risk: Risk.optional(),
  args: JsonObject.optional().meta({ description: "The exact arguments, with all references resolved." }),
  argsHash: z.string().optional().meta({
    description:
      "SHA-256 of `args`, or of the plan's steps, in canonical form. The approval is valid only for these.",
  }),
  requiredBy: z.enum(["policy", "submission", "egress"]).optional().meta({
    description:
      "Why the approval is required. `policy`: the installation's policy requires it, regardless of the submission. `submission`: only the submission requires it. `egress`: a model composed a URL after reading content. Absent for any other reason.",
  }),
  composedUrls: z.array(ComposedUrl).max(COMPOSED_SHOWN_MAX).optional().meta({
    description:
      "URLs in the arguments that a model composed after reading untrusted or private content, with their host, path and query. Absent if there are none.",
  }),
  approvers: z.array(z.string()).optional().meta({
    description:
      "The identities that may approve it according to the installation's policy. If absent, any key of the tenant may.",
  }),
  submitterMayApprove: z.literal(false).optional().meta({
    description: "The submitter of the plan may not approve it.",
  }),
  argumentsFrom: Provenance.optional().meta({
    description:
      "Tools whose outputs are part of the arguments, or were read by the model that wrote the arguments. Absent if there are none.",
  }),
  argumentOrigins: z.array(ArgumentOrigin).max(ORIGINS_SHOWN_MAX).optional().meta({
    description:
      "Origin of each argument: who wrote it, and which outputs influenced it. Absent for questions.",
  }),
  details: JsonObject.optional().meta({
    description: "Further details for the decision. They depend on `kind`.",
  }),
  expiresAfterMs: z
    .int()
    .positive()
    .max(APPROVAL_EXPIRES_MS_MAX)
    .meta({ description: "Time in milliseconds after which the approval is rejected if undecided." }),
}).named(({ approvalId }) => `approval/${approvalId}`);
export type ApprovalRequested = z.infer<typeof ApprovalRequested>;

export const ApprovalDecided = defineEvent("approval.decided", {
  approvalId: ApprovalId,
  decision: ApprovalDecision,
  edits: JsonObject.optional().meta({
    description: "For `approve`: the complete edited arguments, or the complete edited plan.",
  }),
  grants: z
    .record(z.string(), ToolGrant)
    .optional()
    .meta({ description: "Permissions of the tools that an edited plan uses, by tool name." }),
  output: JsonValue.optional().meta({ description: "For `happened`: the output of the step." }),
  answer: JsonValue.optional().meta({ description: "For `answer`: the answer." }),
  by: z.string().max(256).meta({
    description:
      "The identity of the key that decided, `tenant` or `tenant/name`. If no keys are set: the name in the request, or `default`.",
  }),
  signedAs: z.string().max(128).optional().meta({
    description: "The name in the request. It is not verified.",
  }),
  reason: z.string().max(2_000).optional(),
}).named(({ approvalId }, writer: string) => firstOnSubject(`approval/${approvalId}`, writer));
export type ApprovalDecided = z.infer<typeof ApprovalDecided>;
