/** The phases of a draft. */
import { isNewer, type ModelTries } from "../../events/model-events.ts";
import type { NextPlan } from "../plan-state.ts";
import type { Drafting } from "./drafting-state.ts";

/** Has the dispatcher request the draft: now or, in a halted plan, when the plan resumes. */
export function requestDraft(next: NextPlan, drafting: Drafting): void {
  next.drafting = { ...drafting, phase: "requested" };
}

/** The draft is judged before anything of it runs. */
export function judgeDraft(next: NextPlan): void {
  next.drafting = { ...next.drafting, phase: "reviewing" };
}

/** No draft is being written or judged any more. */
export function closeDraft(next: NextPlan): void {
  next.drafting = { ...next.drafting, phase: "sealed" };
}

/** Notes how far the draft has come in its limits. */
export function noteDraftTries(next: NextPlan, draft: number, tries: ModelTries): boolean {
  const { number, phase, tries: last } = next.drafting;
  if (number !== draft || phase !== "open" || !isNewer(last, tries)) return false;
  next.drafting = { ...next.drafting, tries };
  return true;
}
