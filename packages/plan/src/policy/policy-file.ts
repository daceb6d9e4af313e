/** The operator's policy file: rules that a submission cannot loosen. */
import { z } from "zod";
import { BudgetLimits } from "../language/budget.ts";
import { parseArgumentCondition } from "../language/parse-condition.ts";
import { EgressRule } from "../egress/egress-rule.ts";
import { ApprovalFloor, type GatePolicy, GateRule } from "./gate-policy.ts";
import { Priority } from "../sharing/priority.ts";
import { fitsPattern } from "./match-rules.ts";
import { Quotas } from "./quotas.ts";

const RULES_MAX = 100;
const NAMES_MAX = 100;
const TENANTS_MAX = 1_000;

const ToolPattern = z
  .string()
  .regex(/^[A-Za-z*][\w.*-]{0,127}$/, "wanted a tool's name or a pattern such as email.*");

/** A pattern for the identity of a key or user: the tenant, or the tenant and the name. */
const IdentityPattern = z
  .string()
  .regex(
    /^[\w*-]{1,64}(?:\/[\w.@+:|*-]{1,128})?$/,
    "wanted an identity such as acme, acme/ann or acme/ann@example.com; * stands for any characters",
  );
const Identities = z.array(IdentityPattern).max(NAMES_MAX);

const HostPattern = z
  .string()
  .regex(
    /^(?:\*\.)?[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i,
    "wanted a host such as api.example.com or *.example.com",
  );

const Condition = z.string().superRefine((text, context) => {
  const parsed = parseArgumentCondition(text);
  if ("fault" in parsed) context.addIssue({ code: "custom", message: parsed.fault });
});

const Rule = z
  .strictObject({
    ...GateRule.shape,
    tools: z.array(ToolPattern).min(1).max(NAMES_MAX),
    when: Condition.optional(),
    from: z.array(ToolPattern).min(1).max(NAMES_MAX).optional(),
    approvers: Identities.min(1).optional(),
  })
  .refine(
    ({ deny, requireApproval, approvers, submitterMayApprove }) =>
      [deny, requireApproval, approvers, submitterMayApprove].some((setting) => setting !== undefined),
    "wanted at least one of deny, requireApproval, approvers and submitterMayApprove",
  );

const settings = {
  approval: z.strictObject(ApprovalFloor.shape).optional(),
  maxBudget: z.strictObject(BudgetLimits.shape).optional(),
  approvers: Identities.min(1).optional(),
  submitterMayApprove: z.boolean().optional(),
  mcpApprovers: Identities.optional(),
  egress: z
    .strictObject({
      ...EgressRule.shape,
      hosts: z.array(HostPattern).max(NAMES_MAX).default([]),
    })
    .optional(),
  rules: z.array(Rule).max(RULES_MAX).default([]),
  quotas: Quotas.optional(),
  quotasPerKey: Quotas.optional(),
  maxPriority: z
    .record(IdentityPattern, Priority)
    .refine((keys) => Object.keys(keys).length <= NAMES_MAX, `wanted at most ${NAMES_MAX} identities`)
    .optional(),
} as const;

/** Strict, because people write it. */
export const PolicyFile = z.strictObject({
  $schema: z.string().optional(),
  ...settings,
  tenants: z
    .record(z.string().regex(/^[\w-]{1,64}$/, "wanted a tenant's name"), z.strictObject(settings))
    .default({})
    .refine((tenants) => Object.keys(tenants).length <= TENANTS_MAX, `wanted at most ${TENANTS_MAX} tenants`),
});
export type PolicyFile = z.infer<typeof PolicyFile>;

/** Maximum size of a tenant's policy as JSON, in bytes: it is part of the log of each of its plans. */
export const POLICY_BYTES_MAX = 64 * 1024;

/**
 * Returns the policy for the plans of a tenant. A setting of the tenant replaces the general one, and its rules are read before
 * the general ones.
 */
export function policyOf(file: PolicyFile, tenant: string): GatePolicy {
  const { quotas: _ofTenant, quotasPerKey: _ofKeys, maxPriority: _max, ...policy } = settingsOf(file, tenant);
  return policy;
}

/** The quotas of a tenant, and of each of its keys. */
export type TenantQuotas = { readonly tenant: Quotas; readonly key: Quotas };

/** Returns the quotas of a tenant; a tenant's own quotas replace the general ones as a whole. */
export function quotasOf(file: PolicyFile, tenant: string): TenantQuotas {
  const { quotas = {}, quotasPerKey = {} } = settingsOf(file, tenant);
  return { tenant: quotas, key: quotasPerKey };
}

/**
 * Returns the highest priority that a key's plans may have, from the first pattern that matches its identity. Undefined if none
 * does. Without keys there is no identity, and only `*` matches.
 */
export function maxPriorityOf(
  file: PolicyFile,
  { tenant, identity = "" }: { readonly tenant: string; readonly identity: string | undefined },
): Priority | undefined {
  const { maxPriority = {} } = settingsOf(file, tenant);
  return Object.entries(maxPriority).find(([pattern]) => fitsPattern(identity, pattern))?.[1];
}

function settingsOf(file: PolicyFile, tenant: string) {
  const { $schema: _schema, tenants, rules, ...general } = file;
  const { rules: own = [], ...special } = Object.hasOwn(tenants, tenant) ? (tenants[tenant] ?? {}) : {};
  return { ...general, ...special, rules: [...own, ...rules] };
}
