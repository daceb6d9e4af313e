/** The phases of a draft. */
import type { ModelTries } from "../../events/model-events.ts";
import type { NextPlan } from "../plan-state.ts";
import type { Drafting } from "./drafting-state.ts";
import { isNewer } from "../model-outage.ts";

/** Makes the dispatcher request the draft: now or, in a halted plan, when the plan resumes. */
export function requestDraft(next: NextPlan, drafting: Drafting): void {
  next.drafting = { ...drafting, phase: "requested" };
}

/** Marks the draft as under review; none of its steps runs until then. */
export function judgeDraft(next: NextPlan): void {
  next.drafting = { ...next.drafting, phase: "reviewing" };
}

/** Stops the writing or review of a draft. */
export function closeDraft(next: NextPlan): void {
  next.drafting = { ...next.drafting, phase: "sealed" };
}

/** Records the draft's failed tries on its model server. */
export function noteDraftTries(next: NextPlan, draft: number, tries: ModelTries): boolean {
  const { number, phase, tries: last } = next.drafting;
  if (number !== draft || phase !== "open" || !isNewer(last, tries)) return false;
  next.drafting = { ...next.drafting, tries };
  return true;
}
