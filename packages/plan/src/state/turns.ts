import { PROGRAM_CALLS_MAX } from "../code-run.ts";
import type { TurnTaken } from "../events/turn-events.ts";
import { askForCall, goOnUnasked, withoutLeave } from "./asked-calls.ts";
import { beginCall } from "./call-ledger.ts";
import type { LoopFact } from "./loop-fact.ts";
import { runOf } from "./runs.ts";
import type { StepState } from "./step-state.ts";
import { type NextPlan, setState } from "./step-transitions.ts";

/** Takes in what a step that works in a loop does. */
export function goOnWithLoop(next: NextPlan, event: LoopFact): boolean {
  if (event.type === "step.asked") return askForCall(next, event);
  return event.type === "call.started" ? beginCall(next, event) : takeTurn(next, event);
}

/**
 * Takes in a turn of a step, if it is the step's next one. The log keeps the first turn of a number, and no other: also
 * when the worker that took it had been given up meanwhile, the next one goes on after it.
 */
function takeTurn(next: NextPlan, { data, at }: TurnTaken): boolean {
  const entry = runOf(next, data);
  if (entry === undefined || !mayHaveTaken(entry.state, data.attempt)) return false;
  const { state, turns = [] } = entry;
  if (data.turn !== turns.length + 1 || turns.length >= PROGRAM_CALLS_MAX) return false;
  const { stepId: _step, item: _item, ...turn } = data;
  const told = { ...withoutLeave(entry), turns: [...turns, { ...turn, at }] };
  if (state.status === "awaiting-approval" && callOf(state)?.turn === data.turn) goOnUnasked(next, told);
  else setState(next, told, state);
  return true;
}

/** Whether an attempt of this number may have begun, and its step goes on. */
function mayHaveTaken(state: StepState, attempt: number): boolean {
  switch (state.status) {
    case "running":
      return attempt <= state.attempt;
    case "awaiting-approval": {
      const hasBegun = callOf(state) !== undefined || state.about.kind === "outcome-unknown";
      return hasBegun ? attempt <= state.attempt : attempt < state.attempt;
    }
    case "waiting":
      return attempt < state.attempt;
    default:
      return false;
  }
}

function callOf({ about }: Extract<StepState, { status: "awaiting-approval" }>) {
  return about.call;
}
