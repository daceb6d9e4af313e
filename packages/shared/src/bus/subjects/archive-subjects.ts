/** Where ended plans and the audit log are kept. */
import { type PlanId, partitionOf } from "@planwright/plan";

/** Everything of a plan in the archive. */
export function archiveSubjects(planId: PlanId): string {
  return `archive.${partitionOf(planId)}.${planId}.>`;
}

export function archiveHeadSubject(planId: PlanId): string {
  return `archive.${partitionOf(planId)}.${planId}.head`;
}

export function archivePartSubject(planId: PlanId, digest: string): string {
  return `archive.${partitionOf(planId)}.${planId}.part.${digest}`;
}

/** The heads of all archived plans of a partition, or of all. */
export function archivedPlans(partition: number | "*"): string {
  return `archive.${partition}.*.head`;
}

/** The audit log of one tenant; a tenant's name may have characters that a subject may not. */
export function auditSubject(tenant: string): string {
  return `audit.${Buffer.from(tenant).toString("base64url")}`;
}
