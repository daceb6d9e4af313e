/** What a step that works in a loop says of itself. */
import type { PlanEvent } from "../../events/plan-event.ts";
import type { StepAsked } from "../../events/step-events.ts";
import type { CallStarted, TurnStarted, TurnTaken } from "../../events/turn-events.ts";

export type LoopFact = StepAsked | TurnStarted | CallStarted | TurnTaken;

const TYPES: readonly PlanEvent["type"][] = ["turn.taken", "turn.started", "call.started", "step.asked"];

export function isLoopFact(event: PlanEvent): event is LoopFact {
  return TYPES.includes(event.type);
}
