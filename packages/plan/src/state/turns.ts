import type { PlanEvent } from "../events/plan-event.ts";
import type { StepAsked } from "../events/step-events.ts";
import { type CallStarted, TURNS_MAX, type TurnTaken } from "../events/turn-events.ts";
import { openAttempt } from "./attempt-transitions.ts";
import { askForCall, withoutLeave } from "./asked-calls.ts";
import { beginCall } from "./call-ledger.ts";
import { type NextPlan, setState } from "./step-transitions.ts";

export type LoopFact = StepAsked | CallStarted | TurnTaken;

export function isLoopFact(event: PlanEvent): event is LoopFact {
  return event.type === "turn.taken" || event.type === "call.started" || event.type === "step.asked";
}

/** Takes in what a step that works in a loop does. */
export function goOnWithLoop(next: NextPlan, event: LoopFact): boolean {
  if (event.type === "step.asked") return askForCall(next, event);
  return event.type === "call.started" ? beginCall(next, event) : takeTurn(next, event);
}

/** Takes in a turn of a step that runs, if it is the step's next one. */
function takeTurn(next: NextPlan, { data, at }: TurnTaken): boolean {
  const entry = openAttempt(next, data);
  if (entry?.state.status !== "running") return false;
  const turns = entry.turns ?? [];
  if (data.turn !== turns.length + 1 || turns.length >= TURNS_MAX) return false;
  const { stepId: _step, item: _item, ...turn } = data;
  setState(next, { ...withoutLeave(entry), turns: [...turns, { ...turn, at }] }, entry.state);
  return true;
}
