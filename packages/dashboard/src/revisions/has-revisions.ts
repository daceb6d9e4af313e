import { isPlanEdit } from "@planwright/plan/revision-diff";
import type { PlanView } from "../api/api-types.ts";

/** Whether anything has changed the plan. */
export function hasRevisions({ revisions, approvals }: Pick<PlanView, "revisions" | "approvals">): boolean {
  return revisions.length > 0 || approvals.some(isPlanEdit);
}
