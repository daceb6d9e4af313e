import type { NextPlan } from "../plan-state.ts";
import type { Drafting } from "./drafting-state.ts";

/** Has the plan's owner ask for the draft, now or when the plan goes on. */
export function requestDraft(next: NextPlan, drafting: Drafting): void {
  next.drafting = { ...drafting, phase: "requested" };
}
