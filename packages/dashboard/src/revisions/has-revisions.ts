import type { PlanView } from "../api/api-types.ts";

/** Whether anything has changed the plan. */
export function hasRevisions({ revisions, approvals }: Pick<PlanView, "revisions" | "approvals">): boolean {
  return revisions.length > 0 || approvals.some(isPlanEdit);
}

/** Somebody let the plan run, but not as it was. */
export function isPlanEdit({ kind, decision, edits }: PlanView["approvals"][number]): boolean {
  return kind === "plan" && decision === "approve" && edits !== undefined;
}
