export { denial, deniedTools } from "./allowed-arguments.ts";
export { isToolDenied } from "./gates.ts";
export { type PolicyCall, fitsPattern } from "./match-rules.ts";
export { callOfLoop } from "./policy-call.ts";
export { type CalledTool, provenanceOfFork } from "./provenance.ts";
export { GatePolicy, Provenance } from "./gate-policy.ts";
export { decisionRefusal } from "./may-decide.ts";
export { cappedBudget, raiseAbove } from "./max-budget.ts";
export {
  hasPermission,
  type Permission,
  permissionToDecide,
  Role,
  ROLE_DEFAULT,
  ROLES,
  rolesWith,
} from "./roles.ts";
export {
  maxPriorityOf,
  POLICY_BYTES_MAX,
  PolicyFile,
  policyOf,
  quotasOf,
  type TenantQuotas,
} from "./policy-file.ts";
export {
  QUOTA_NAMES,
  type QuotaName,
  type Quotas,
  type QuotaState,
  quotaStates,
  quotaText,
  reachedQuota,
  type Spent,
} from "./quotas.ts";
