/** The installation's policy for one tenant, as the log of each plan records it at its submission. */
import { z } from "zod";
import { BudgetLimits } from "../budget.ts";
import { EgressRule } from "../egress/egress-rule.ts";
import { Risk } from "../tool-spec.ts";

/** The floor under a submission's `approval`: what is stricter holds. */
export const ApprovalFloor = z.object({
  plan: z.boolean().optional().meta({ description: "Whether each plan, and each revision, needs approval." }),
  risk: Risk.optional().meta({ description: "The lowest risk of a tool whose calls need approval." }),
  confidenceBelow: z.number().min(0).max(1).optional().meta({
    description: "Steps and plans whose planner is less sure than this need approval.",
  }),
});
export type ApprovalFloor = z.infer<typeof ApprovalFloor>;

/** The tools whose outputs have reached a call's arguments. */
export const Provenance = z.object({
  tools: z.array(z.string()).meta({ description: "Their names, in alphabetical order." }),
  isOpen: z.boolean().meta({
    description: "Whether other tools may be among them: a parent does not know what its sub-plans call.",
  }),
});
export type Provenance = z.infer<typeof Provenance>;

export const GateRule = z.object({
  tools: z.array(z.string()).meta({
    description: "Tool names; `*` stands for any characters, as in `email.*`.",
  }),
  when: z.string().optional().meta({
    description:
      "A condition over the tool's arguments, such as `amount < 100`; without it the rule always matches.",
  }),
  from: z.array(z.string()).optional().meta({
    description:
      "Tools whose outputs have reached the arguments, by name or pattern: the rule matches only then.",
  }),
  deny: z.boolean().optional().meta({ description: "Whether the call is forbidden." }),
  requireApproval: z.boolean().optional().meta({
    description:
      "Whether the call needs approval; `false` lifts what a later rule or `approval.risk` requires, never what the submission requires.",
  }),
  approvers: z.array(z.string()).optional().meta({
    description:
      "Who may approve the call, by identity (`tenant` or `tenant/name` of a key); `*` stands for any characters.",
  }),
  submitterMayApprove: z.boolean().optional().meta({
    description: "Whether the submitter of the plan may approve the call.",
  }),
});
export type GateRule = z.infer<typeof GateRule>;

/** What holds for the plans of one tenant. Of several rules that match, the first one that has a setting decides it. */
export const GatePolicy = z.object({
  approval: ApprovalFloor.optional(),
  maxBudget: BudgetLimits.optional().meta({
    description: "The most that one plan may use, sub-plans included; a submission may ask for less.",
  }),
  approvers: z.array(z.string()).optional().meta({
    description: "Who may approve, where no rule says so; every key of the tenant when absent.",
  }),
  submitterMayApprove: z.boolean().optional().meta({
    description: "Whether the submitter of a plan may approve what it asks; true when absent.",
  }),
  mcpApprovers: z.array(z.string()).optional().meta({
    description: "The identities that may approve through MCP; none when absent.",
  }),
  egress: EgressRule.optional().meta({
    description: "What becomes of URLs that a model composes after it has read content.",
  }),
  rules: z.array(GateRule).default([]),
});
export type GatePolicy = z.infer<typeof GatePolicy>;
