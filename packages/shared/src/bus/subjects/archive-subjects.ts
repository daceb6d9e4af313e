/** The subjects of archived plans and of the audit log. */
import { type PlanId, partitionOf } from "@planwright/plan";

/** All archive messages of a plan. */
export function archiveSubjects(planId: PlanId): string {
  return `archive.${partitionOf(planId)}.${planId}.>`;
}

export function archiveHeadSubject(planId: PlanId): string {
  return `archive.${partitionOf(planId)}.${planId}.head`;
}

export function archivePartSubject(planId: PlanId, digest: string): string {
  return `archive.${partitionOf(planId)}.${planId}.part.${digest}`;
}

/** The heads of all archived plans, of one partition or of all. */
export function archivedPlans(partition: number | "*"): string {
  return `archive.${partition}.*.head`;
}

/** The audit log of one tenant, whose name may contain characters that are invalid in subjects. */
export function auditSubject(tenant: string): string {
  return `audit.${Buffer.from(tenant).toString("base64url")}`;
}
