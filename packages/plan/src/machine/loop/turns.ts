import type { NextPlan } from "../plan-state.ts";
import type { TurnStarted, TurnTaken } from "../../events/turn-events.ts";
import { askForCall, goOnUnasked, withoutLeave } from "./asked-calls.ts";
import { beginCall } from "./call-ledger.ts";
import { isAwaited, isCallNamed, missingCalls, turnNumber, withOutcome } from "./loop-calls.ts";
import type { LoopFact } from "./loop-fact.ts";
import { runOf, setState } from "../step/runs.ts";
import type { StepEntry, StepState } from "../step/step-state.ts";

/** Outcomes that the log keeps of one loop: those of its calls, and those of turns that named none. */
const OUTCOMES_MAX = 200;

/** Takes in what a step that works in a loop does. */
export function goOnWithLoop(next: NextPlan, event: LoopFact): boolean {
  switch (event.type) {
    case "step.asked":
      return askForCall(next, event);
    case "call.started":
      return beginCall(next, event);
    case "turn.started":
      return startTurn(next, event);
    case "turn.taken":
      return takeTurn(next, event);
    default:
      event satisfies never;
      return false;
  }
}

/** Takes in that a turn with several calls begins, if it is the step's next one. */
function startTurn(next: NextPlan, { data, at }: TurnStarted): boolean {
  const entry = runOf(next, data);
  if (entry === undefined || !mayHaveTaken(entry.state, data.attempt)) return false;
  if (entry.openTurn !== undefined || data.turn !== turnNumber(entry)) return false;
  if (!hasRoomFor(entry, data.calls.length)) return false;
  const { stepId: _step, item: _item, ...turn } = data;
  setState(next, { ...entry, openTurn: { ...turn, at } }, entry.state);
  return true;
}

/**
 * Records the outcome of a call that is awaited. The log keeps only the first outcome of a call, even when its worker
 * was presumed dead in the meantime: the next worker continues after it.
 */
function takeTurn(next: NextPlan, { data, at }: TurnTaken): boolean {
  const entry = runOf(next, data);
  if (entry === undefined || !mayHaveTaken(entry.state, data.attempt)) return false;
  if (!isAwaited(entry, data) || !hasRoomFor(entry, 1)) return false;
  const { stepId: _step, item: _item, ...turn } = data;
  const { state, turns = [] } = entry;
  const known =
    entry.leave !== undefined && isCallNamed(entry.leave.call, data) ? withoutLeave(entry) : entry;
  const told = withoutFinishedTurn({ ...known, turns: withOutcome(turns, { ...turn, at }) });
  const asked = state.status === "awaiting-approval" ? state.about.call : undefined;
  if (asked !== undefined && isCallNamed(asked, data)) goOnUnasked(next, told);
  else setState(next, told, state);
  return true;
}

function hasRoomFor({ turns = [] }: StepEntry, count: number): boolean {
  return turns.length + count <= OUTCOMES_MAX;
}

function withoutFinishedTurn(entry: StepEntry): StepEntry {
  if (entry.openTurn === undefined || missingCalls(entry).length > 0) return entry;
  const { openTurn: _finished, ...rest } = entry;
  return rest;
}

/** Whether an attempt with this number may have begun and its step is still running. */
function mayHaveTaken(state: StepState, attempt: number): boolean {
  switch (state.status) {
    case "running":
      return attempt <= state.attempt;
    case "awaiting-approval": {
      const hasBegun = state.about.call !== undefined || state.about.kind === "outcome-unknown";
      return hasBegun ? attempt <= state.attempt : attempt < state.attempt;
    }
    case "waiting":
      return attempt < state.attempt;
    default:
      return false;
  }
}
