/**
 * Approvals: what waits for a person, and what was decided.
 *
 * The plan's owner asks, once for each approval id; the first decision that is stored is the decision.
 */
import { z } from "zod";
import { APPROVAL_EXPIRES_MS_MAX } from "../approval-policy.ts";
import { ArgumentOrigin, ORIGINS_SHOWN_MAX } from "../policy/argument-origins.ts";
import { COMPOSED_SHOWN_MAX, ComposedUrl } from "../egress/egress-rule.ts";
import { StepId } from "../ids.ts";
import { Provenance } from "../policy/gate-policy.ts";
import { JsonObject, JsonValue } from "../json.ts";
import { Risk } from "../tool-spec.ts";
import { defineEvent } from "./define-event.ts";
import { Attempt, Item, ToolGrant } from "./values.ts";

/** One NATS subject token, derived from what is asked: `plan-1`, `risk-s1-0`, `ask-s1-0-1`, `unknown-s1-0-1`, `unknown-s1-undo-1`, `call-s1-0-2-1`. */
export const ApprovalId = z.string().regex(/^[\w-]{1,100}$/);

/**
 * Why somebody is asked: the plan as a whole, the tool's risk, the planner's doubt, a step that is a question, an
 * effect of which nobody knows whether it took place, a budget that is used up.
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
 * `happened` and `run-again` answer an unknown outcome: the effect took place, or it may be tried once more.
 * `answer` answers a question. `reject` ends what waits as failed.
 */
export const ApprovalDecision = z.enum(["approve", "reject", "answer", "happened", "run-again"]);
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

export const QUESTION_CHARS_MAX = 4_000;

export const ApprovalRequested = defineEvent("approval.requested", {
  approvalId: ApprovalId,
  kind: ApprovalKind,
  question: z.string().max(QUESTION_CHARS_MAX).meta({ description: "The question, as a sentence." }),
  stepId: StepId.optional().meta({ description: "The step that waits; absent when the whole plan does." }),
  item: Item.optional(),
  undo: z.literal(true).optional().meta({ description: "It is about the step's compensation." }),
  attempt: Attempt.optional(),
  tool: z.string().optional(),
  risk: Risk.optional(),
  args: JsonObject.optional().meta({ description: "The exact arguments, with every reference resolved." }),
  argsHash: z.string().optional().meta({
    description:
      "SHA-256 of `args`, or of the plan's steps, in canonical form: the approval holds for exactly these.",
  }),
  requiredBy: z.enum(["policy", "submission", "egress"]).optional().meta({
    description:
      "`policy`: the installation's policy requires the approval, whatever the submission says; `submission`: the submission alone does; `egress`: a model composed a URL after it had read content. Absent where it is asked for another reason.",
  }),
  composedUrls: z.array(ComposedUrl).max(COMPOSED_SHOWN_MAX).optional().meta({
    description:
      "The URLs among the arguments that a model composed after untrusted or private content had been read: where they go, and what they tell. Absent when there are none, and in older logs.",
  }),
  approvers: z.array(z.string()).optional().meta({
    description:
      "The identities that may approve it, by the installation's policy; any key of the tenant when absent.",
  }),
  submitterMayApprove: z.literal(false).optional().meta({
    description: "The submitter of the plan may not approve it.",
  }),
  argumentsFrom: Provenance.optional().meta({
    description:
      "The tools whose outputs have reached the arguments, or had been read by the model that wrote them; absent when there are none, and in older logs.",
  }),
  argumentOrigins: z.array(ArgumentOrigin).max(ORIGINS_SHOWN_MAX).optional().meta({
    description:
      "Where each argument comes from, by who wrote it and what had reached it; absent in older logs, and where a person is only asked a question.",
  }),
  details: JsonObject.optional().meta({
    description: "Further details for the decision; they depend on `kind`.",
  }),
  expiresAfterMs: z
    .int()
    .positive()
    .max(APPROVAL_EXPIRES_MS_MAX)
    .meta({ description: "Without a decision it is rejected this long after it was requested." }),
});
export type ApprovalRequested = z.infer<typeof ApprovalRequested>;

export const ApprovalDecided = defineEvent("approval.decided", {
  approvalId: ApprovalId,
  decision: ApprovalDecision,
  edits: JsonObject.optional().meta({
    description:
      "Of `approve`: the arguments that run instead of those that were shown, all of them; or the whole plan.",
  }),
  grants: z
    .record(z.string(), ToolGrant)
    .optional()
    .meta({ description: "The grants of the tools that an edited plan uses, by tool name." }),
  output: JsonValue.optional().meta({ description: "Of `happened`: the step's output." }),
  answer: JsonValue.optional().meta({ description: "Of `answer`." }),
  by: z.string().max(256).meta({
    description:
      "The identity of the key that decided, `tenant` or `tenant/name`; where no keys are set, the name that the request gave, else `default`.",
  }),
  signedAs: z.string().max(128).optional().meta({
    description: "The name that the request gave: an unverified note.",
  }),
  reason: z.string().max(2_000).optional(),
});
export type ApprovalDecided = z.infer<typeof ApprovalDecided>;
