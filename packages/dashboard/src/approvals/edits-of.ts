/** What a person starts from when they edit what waits. */
import { PLANNED_FIELDS } from "@planwright/plan/planned-fields";
import type { Approval, JsonObject, PlanView } from "../api/api-types.ts";

const PLANNED = ["id", ...PLANNED_FIELDS] as const;

/** Undefined when nothing of it can be edited. */
export function editsOf(approval: Approval, view: Pick<PlanView, "steps">): JsonObject | undefined {
  if (!approval.choices.includes("approve")) return undefined;
  if (approval.kind === "budget") return {};
  if (approval.kind === "plan") return planOf(view, approval.details?.["draft"]);
  return approval.args ?? {};
}

/** The steps of the draft that waits, as they would be submitted. */
function planOf({ steps }: Pick<PlanView, "steps">, draft: unknown): JsonObject {
  const waiting = steps.filter((step) => step.draft === draft && step.status === "waiting");
  const planned = waiting.map((step) => Object.fromEntries(PLANNED.map((field) => [field, step[field]])));
  // Through JSON, so that absent fields are absent.
  return JSON.parse(JSON.stringify({ steps: planned })) as JsonObject;
}
