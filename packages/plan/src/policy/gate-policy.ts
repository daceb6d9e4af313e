/** The installation's policy for one tenant, as recorded in the log of each plan at its submission. */
import { z } from "zod";
import { BudgetLimits } from "../language/budget.ts";
import { EgressRule } from "../egress/egress-rule.ts";
import { Risk } from "../language/tool-spec.ts";

/** The minimum for a submission's `approval`: the stricter setting of the two applies. */
export const ApprovalFloor = z.object({
  plan: z.boolean().optional().meta({ description: "Whether each plan, and each revision, needs approval." }),
  risk: Risk.optional().meta({ description: "The lowest risk of a tool whose calls need approval." }),
  confidenceBelow: z.number().min(0).max(1).optional().meta({
    description: "Steps and plans with a lower confidence than this need approval.",
  }),
});
export type ApprovalFloor = z.infer<typeof ApprovalFloor>;

/** The tools whose outputs have reached a call's arguments. */
export const Provenance = z.object({
  tools: z.array(z.string()).meta({ description: "Names of the tools, in alphabetical order." }),
  isOpen: z.boolean().meta({
    description: "Whether there can be other tools: a parent does not know which tools its sub-plans call.",
  }),
});
export type Provenance = z.infer<typeof Provenance>;

export const GateRule = z.object({
  tools: z.array(z.string()).meta({
    description: "Tool names; `*` stands for any characters, as in `email.*`.",
  }),
  when: z.string().optional().meta({
    description:
      "A condition on the tool's arguments, such as `amount < 100`. Without it, the rule always matches.",
  }),
  from: z.array(z.string()).optional().meta({
    description:
      "Names or patterns of tools. The rule matches only if their outputs are part of the arguments.",
  }),
  deny: z.boolean().optional().meta({ description: "Whether the call is forbidden." }),
  requireApproval: z.boolean().optional().meta({
    description:
      "Whether the call needs approval. `false` overrides later rules and `approval.risk`, but never the submission.",
  }),
  approvers: z.array(z.string()).optional().meta({
    description:
      "Identities that may approve the call (`tenant` or `tenant/name` of a key). `*` stands for any characters.",
  }),
  submitterMayApprove: z.boolean().optional().meta({
    description: "Whether the submitter of the plan may approve the call.",
  }),
});
export type GateRule = z.infer<typeof GateRule>;

/** The policy for the plans of one tenant. If several rules match, the first one that contains a setting decides it. */
export const GatePolicy = z.object({
  approval: ApprovalFloor.optional(),
  maxBudget: BudgetLimits.optional().meta({
    description: "Maximum budget of a plan, including its sub-plans. A submission can set a lower one.",
  }),
  approvers: z.array(z.string()).optional().meta({
    description:
      "Identities that may approve if no rule specifies them. If absent, every key of the tenant may.",
  }),
  submitterMayApprove: z.boolean().optional().meta({
    description: "Whether the submitter of a plan may decide its approvals; true if absent.",
  }),
  mcpApprovers: z.array(z.string()).optional().meta({
    description: "Identities that may approve through MCP; none if absent.",
  }),
  egress: EgressRule.optional().meta({
    description: "Rule for URLs that a model composes after reading content.",
  }),
  rules: z.array(GateRule).default([]),
});
export type GatePolicy = z.infer<typeof GatePolicy>;
