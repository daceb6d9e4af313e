import type { NextPlan, Approval } from "../plan-state.ts";
import type { TurnStarted, TurnTaken } from "../../events/turn-events.ts";
import { beginCall, withCallDone, type LoopFact } from "./call-ledger.ts";
import { isAwaited, isCallNamed, missingCalls, turnNumber, withOutcome } from "./loop-calls.ts";
import { runOf, setState, itemOf } from "../step/runs.ts";
import type { StepEntry, StepState } from "../step/step-state.ts";
import type { AskedCall, StepAsked } from "../../events/step-events.ts";
import { LIMITS } from "../../values/limits.ts";
import { countUsage, giveUpStopping, openAttempt } from "../step/attempt-transitions.ts";
import { callToken } from "../../values/call-name.ts";
import type { CallLeave } from "../step/step-records.ts";
import { awaitApproval, makeReady } from "../step/step-transitions.ts";

/** The maximum number of outcomes that the log keeps of one loop: those of its calls, and those of turns without a call. */
const OUTCOMES_MAX = 200;

/** Applies an event of a step that works in a loop. */
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

/** Records the start of a turn with several calls, if it is the step's next one. */
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
 * Records the outcome of a pending call. The log keeps only the first outcome of a call, even when its worker
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

/** Whether an attempt with this number can have begun and its step is still running. */
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

/** Records that an attempt has ended with a request for approval of a call. */
export function askForCall(next: NextPlan, { data, at }: StepAsked): boolean {
  const entry = openAttempt(next, data);
  if (entry?.state.status !== "running") return false;
  countUsage(next, data);
  if (entry.state.stopping !== undefined) {
    giveUpStopping(next, entry);
    return true;
  }
  const { attempt, call, workerId } = data;
  const startedAt = entry.state.startedAt ?? at;
  awaitApproval(next, entry, {
    attempt,
    approvalId: `call-${entry.step.id}-${itemOf(entry)}-${callToken(call)}-${attempt}`,
    about:
      call.doubt === undefined
        ? { kind: "tool-risk", call }
        : { kind: "outcome-unknown", call, message: call.doubt, workerId, startedAt },
  });
  return true;
}

type Decided = NonNullable<Approval["decided"]>;

/** Continues the loop with the approved call, with the call's output, or with the reason why there is neither. */
export function decideCall(
  next: NextPlan,
  entry: StepEntry,
  { call, approval, said }: { readonly call: AskedCall; readonly approval: Approval; readonly said: string },
): void {
  const { approvalId, decided, attempt = 1 } = approval;
  if (decided === undefined) return;
  const { leave: earlier } = entry;
  const before = earlier !== undefined && isCallNamed(earlier.call, call) ? earlier.times : 0;
  const about = { call, approvalId, times: before + 1 };
  const answer = { ...about, ...answerOf(decided, { ...about, said }) };
  const noted = answer.output === undefined ? entry : withCallDone(entry, call, decided);
  makeReady(next, { ...noted, leave: answer, asked: (entry.asked ?? 0) + 1 }, attempt + 1);
}

function answerOf(
  { decision, edits, output }: Decided,
  { call, times, said }: Pick<CallLeave, "call" | "times"> & { readonly said: string },
): Pick<CallLeave, "args" | "output" | "rejected"> {
  if (decision === "approve") return { args: edits ?? call.args };
  if (decision === "happened") return { output: output ?? null };
  if (decision !== "run-again") return { rejected: `rejected by ${said}` };
  return times < LIMITS.attemptsMax
    ? { args: call.args }
    : { rejected: `made ${LIMITS.attemptsMax} times, which are the most` };
}

/** Withdraws the approval of a call whose turn arrived late: its outcome needs no decision any more. */
export function goOnUnasked(next: NextPlan, entry: StepEntry): void {
  if (entry.state.status !== "awaiting-approval") return;
  const { attempt } = entry.state;
  makeReady(next, { ...entry, asked: (entry.asked ?? 0) + 1 }, attempt + 1);
}

/** Removes the approval of a call whose turn is over. */
export function withoutLeave<Entry extends StepEntry>({ leave: _leave, ...entry }: Entry) {
  return entry;
}
