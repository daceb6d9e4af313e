/** The installation's policy, from the file that PLANWRIGHT_POLICY names. */
import {
  canonicalJson,
  fitsPattern,
  type GatePolicy,
  hasPermission,
  JsonValue,
  maxPriorityOf,
  POLICY_BYTES_MAX,
  PolicyFile,
  policyOf,
  type Priority,
  quotasOf,
  type Role,
} from "@planwright/plan";
import type { QuotasFor } from "../quotas/create-quotas.ts";
import { findConfigFile, invalidConfigFile, type Logger, parseConfigFile } from "@planwright/shared/service";

const CODE = "invalid_policy";
const KEYS = "a tenant's name of letters, digits, _ and -, at most 64";

/** The policy for the plans of a tenant; undefined where there is none. */
type PolicyFor = (tenant: string) => GatePolicy | undefined;

/** The highest priority of the plans of a key; undefined where the policy does not limit it. */
export type MaxPriorityFor = (key: {
  readonly tenant: string;
  readonly identity: string | undefined;
}) => Priority | undefined;

export type ReadPolicy = {
  readonly policyFor: PolicyFor;
  readonly maxPriorityFor: MaxPriorityFor;
  readonly quotasFor: QuotasFor;
  /** The identities and patterns that the policy lists as approvers. */
  readonly approvers: readonly string[];
};

const NO_POLICY: ReadPolicy = {
  policyFor: () => undefined,
  maxPriorityFor: () => undefined,
  quotasFor: () => ({ tenant: {}, key: {} }),
  approvers: [],
};

/**
 * Reads the policy file.
 *
 * @param file - Undefined when there is none: then only the submission can require approvals.
 * @throws {PermanentError} `invalid_policy`: the file, the position in it, the expected and the actual value.
 */
export async function readPolicy(file: string | undefined): Promise<ReadPolicy> {
  const found = await findConfigFile({ named: file, folders: [], fileName: "policy.json", code: CODE });
  if (found === undefined) return NO_POLICY;
  const policy = parseConfigFile(PolicyFile, { ...found, code: CODE, keys: KEYS });
  const general = policyOf(policy, "");
  const generalQuotas = quotasOf(policy, "");
  const tenants = Object.keys(policy.tenants);
  const ofTenants = new Map(tenants.map((tenant) => [tenant, policyOf(policy, tenant)]));
  const quotas = new Map(tenants.map((tenant) => [tenant, quotasOf(policy, tenant)]));
  refuseLarge(found.file, [general, ...ofTenants.values()]);
  return {
    policyFor: (tenant) => ofTenants.get(tenant) ?? general,
    maxPriorityFor: (key) => maxPriorityOf(policy, key),
    quotasFor: (tenant) => quotas.get(tenant) ?? generalQuotas,
    approvers: [general, ...ofTenants.values()].flatMap(approversIn),
  };
}

/** The owner of a key. */
type Owner = { readonly identity: string; readonly role: Role };

/** The approvers in a policy that match no key with a role that permits approving: they have no effect. */
export function strayApprovers(approvers: readonly string[], keys: readonly Owner[]): string[] {
  const deciding = keys.filter(({ role }) => hasPermission(role, "decide"));
  return [...new Set(approvers)].filter(
    (name) => !deciding.some(({ identity }) => fitsPattern(identity, name)),
  );
}

/** Logs approvers of a policy that have no effect. */
export function warnOfApprovers(
  { approvers }: Pick<ReadPolicy, "approvers">,
  {
    configured,
    managed,
    log,
  }: { readonly configured: readonly Owner[]; readonly managed: readonly Owner[]; readonly log: Logger },
): void {
  if (approvers.length === 0) return;
  if (configured.length === 0) {
    log.warn(
      "the policy file names approvers, but no keys are set: any client that reaches the gateway may approve",
    );
    return;
  }
  const stray = strayApprovers(approvers, [...configured, ...managed]);
  if (stray.length > 0)
    log.warn({ approvers: stray }, "none of these approvers has a key with a role that may approve");
}

function approversIn({ approvers = [], mcpApprovers = [], rules }: GatePolicy): string[] {
  return [...approvers, ...mcpApprovers, ...rules.flatMap((rule) => rule.approvers ?? [])];
}

/** Refuses large policies: each plan's log contains its tenant's policy. */
function refuseLarge(file: string, policies: readonly GatePolicy[]): void {
  const bytes = Math.max(
    ...policies.map((policy) => Buffer.byteLength(canonicalJson(JsonValue.parse(policy)))),
  );
  if (bytes <= POLICY_BYTES_MAX) return;
  const fault = `wanted at most ${POLICY_BYTES_MAX} bytes of settings and rules for one tenant, got ${bytes}: join rules by patterns such as email.*`;
  throw invalidConfigFile(file, { code: CODE, faults: [fault] });
}
