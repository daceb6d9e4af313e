/** What a step that works in a loop says of itself. */
import type { PlanEvent } from "../events/plan-event.ts";
import type { StepAsked } from "../events/step-events.ts";
import type { CallStarted, TurnTaken } from "../events/turn-events.ts";

export type LoopFact = StepAsked | CallStarted | TurnTaken;

export function isLoopFact(event: PlanEvent): event is LoopFact {
  return event.type === "turn.taken" || event.type === "call.started" || event.type === "step.asked";
}
