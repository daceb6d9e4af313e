import type { NextPlan } from "../plan-state.ts";
import { gateDraft } from "../approval/plan-gate.ts";
import { beginHeldItems } from "../step/item-transitions.ts";
import { startRevision } from "./revisions.ts";
import { strategyOf } from "./strategies.ts";
import { releaseHeld } from "../step/step-transitions.ts";

/** Lets a complete draft run, unless it needs approval or a revision is due. */
export function releaseDraft(next: NextPlan, draft: number): void {
  startRevision(next);
  gateDraft(next, draft);
  strategyOf(next).takeIn(next, draft);
  beginHeldItems(next);
  releaseHeld(next);
}
