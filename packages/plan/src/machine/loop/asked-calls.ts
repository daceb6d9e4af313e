/** Calls of a loop that wait for approval: the attempt ends, and after the decision the next attempt continues there. */
import type { Approval, NextPlan, StepEntry } from "../plan-state.ts";
import type { AskedCall, StepAsked } from "../../events/step-events.ts";
import { LIMITS } from "../../values/limits.ts";
import { countUsage, giveUpStopping, openAttempt } from "../step/attempt-transitions.ts";
import { withCallDone } from "./call-ledger.ts";
import { callToken } from "../../values/call-name.ts";
import { isCallNamed } from "./loop-calls.ts";
import { itemOf } from "../step/runs.ts";
import type { CallLeave } from "../step/step-records.ts";
import { awaitApproval, makeReady } from "../step/step-transitions.ts";

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

/** Lets the loop continue with the approved call, with the call's output, or with the reason why there is neither. */
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
