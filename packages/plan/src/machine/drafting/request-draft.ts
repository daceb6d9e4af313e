import type { NextPlan } from "../plan-state.ts";
import type { Drafting } from "./drafting-state.ts";

/** Has the dispatcher request the draft: now or, in a halted plan, when the plan resumes. */
export function requestDraft(next: NextPlan, drafting: Drafting): void {
  next.drafting = { ...drafting, phase: "requested" };
}
