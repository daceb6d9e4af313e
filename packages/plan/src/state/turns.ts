import { TURNS_MAX, type TurnTaken } from "../events/turn-events.ts";
import { openAttempt } from "./attempt-transitions.ts";
import { type NextPlan, setState } from "./step-transitions.ts";

/** Takes in a turn of a step that runs, if it is the step's next one. */
export function takeTurn(next: NextPlan, { data, at }: TurnTaken): boolean {
  const entry = openAttempt(next, data);
  if (entry?.state.status !== "running") return false;
  const turns = entry.turns ?? [];
  if (data.turn !== turns.length + 1 || turns.length >= TURNS_MAX) return false;
  const { stepId: _step, item: _item, ...turn } = data;
  setState(next, { ...entry, turns: [...turns, { ...turn, at }] }, entry.state);
  return true;
}
