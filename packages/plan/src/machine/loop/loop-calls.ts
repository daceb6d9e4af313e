/**
 * The calls of a loop: how they are named, which have no outcome yet, and which of these can be made now.
 *
 * Invariants:
 *   TURN-1. The calls of a turn with several calls are in the log before the first of them is made.
 *   TURN-2. Each call has one outcome, the first that is stored, and a call with an outcome is not made again.
 *   TURN-3. A call that runs alone begins when all calls before it are over, and none begins beside it.
 *   TURN-4. Outcomes are kept in the order of the calls, in whatever order they arrive.
 *   TURN-5. The next turn begins when every call of the previous turn has its outcome.
 */
import type { CallName } from "../../values/call-name.ts";
import type { StepEntry, Turn } from "../step/step-state.ts";

type Loop = Pick<StepEntry, "turns" | "openTurn">;

/** A call of the current turn that has no outcome. */
export type MissingCall = Pick<Turn, "turn" | "thought" | "tool" | "args" | "error"> & {
  readonly call: number;
};

export function isCallNamed(one: CallName, other: CallName): boolean {
  return one.turn === other.turn && one.call === other.call;
}

/** Returns the number of the current turn, or else of the next one. */
export function turnNumber({ turns = [], openTurn }: Loop): number {
  return openTurn?.turn ?? (turns.at(-1)?.turn ?? 0) + 1;
}

/** Returns the calls of the current turn that have no outcome, in order; none unless a turn of several calls is in progress. */
export function missingCalls({ turns = [], openTurn }: Loop): readonly MissingCall[] {
  if (openTurn === undefined) return [];
  const { turn, thought } = openTurn;
  return openTurn.calls
    .map((wanted, index) => ({ turn, call: index + 1, thought, ...wanted }))
    .filter((wanted) => !turns.some((taken) => isCallNamed(taken, wanted)));
}

/** Whether the outcome of a call, or of a turn without a call, is still missing. */
export function isAwaited(loop: Loop, name: CallName): boolean {
  if (loop.openTurn !== undefined) return missingCalls(loop).some((missing) => isCallNamed(missing, name));
  return name.call === undefined && name.turn === turnNumber(loop);
}

/** Whether everything before a call is over, so that it can run alone. */
export function comesNext(loop: Loop, name: CallName): boolean {
  const [first] = missingCalls(loop);
  return first === undefined ? isAwaited(loop, name) : isCallNamed(first, name);
}

/**
 * Returns the missing calls that can be made now: the first one, and those after it up to the first that runs alone.
 *
 * @param isAlone - Whether a call has an effect or needs approval: nothing runs beside it.
 */
export function callsToMake<Call>(
  missing: readonly Call[],
  isAlone: (call: Call) => boolean,
): readonly Call[] {
  const end = missing.findIndex(isAlone);
  return missing.slice(0, end === -1 ? missing.length : Math.max(1, end));
}

/** Returns the outcomes with one more, in the order of the calls. */
export function withOutcome<Outcome extends CallName>(
  outcomes: readonly Outcome[],
  outcome: Outcome,
): readonly Outcome[] {
  const after = outcomes.findIndex((other) => isAfter(other, outcome));
  return after === -1 ? [...outcomes, outcome] : outcomes.toSpliced(after, 0, outcome);
}

function isAfter(one: CallName, other: CallName): boolean {
  return one.turn > other.turn || (one.turn === other.turn && (one.call ?? 0) > (other.call ?? 0));
}
