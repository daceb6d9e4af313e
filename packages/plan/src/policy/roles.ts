/**
 * The permissions of a key in its tenant: each key has a role, each role a set of permissions.
 *
 * `access.ts` of `@planwright/api` lists the routes, messages and tools that require a permission.
 */
import { z } from "zod";
import type { ApprovalDecision } from "../events/approval-events.ts";

export const ROLES = ["viewer", "submitter", "approver", "operator", "admin"] as const;
export const Role = z.enum(ROLES);
export type Role = z.output<typeof Role>;

/** The role of a key that names none: it can do everything that any key could do before roles were introduced. */
export const ROLE_DEFAULT: Role = "operator";

/**
 * `read`: plans, data sources, metrics. `submit`: start plans, upload data, and pause or cancel plans. `respond`: reject,
 * answer a plan's question, rate a plan. `decide`: approve. `operate`: delete, retry and discard. `administer`: keys and the audit log.
 */
export type Permission = "read" | "submit" | "respond" | "decide" | "operate" | "administer";

const PERMISSIONS: Readonly<Record<Role, readonly Permission[]>> = {
  viewer: ["read"],
  submitter: ["read", "submit", "respond"],
  approver: ["read", "respond", "decide"],
  operator: ["read", "submit", "respond", "decide", "operate"],
  admin: ["read", "submit", "respond", "decide", "operate", "administer"],
};

/** Rejecting has no more effect than cancelling, which a submitter may do; an answer is the submitter's own input. */
const DECISIONS: Readonly<Record<ApprovalDecision, Permission>> = {
  approve: "decide",
  reject: "respond",
  answer: "respond",
  happened: "decide",
  "run-again": "decide",
};

export function hasPermission(role: Role, permission: Permission): boolean {
  return PERMISSIONS[role].includes(permission);
}

/** The roles that have a permission, in the order of {@link ROLES}. */
export function rolesWith(permission: Permission): Role[] {
  return ROLES.filter((role) => hasPermission(role, permission));
}

/** The permission that a key needs for a decision, before the policy file restricts which keys may make it. */
export function permissionToDecide(decision: ApprovalDecision): Permission {
  return DECISIONS[decision];
}
