/** Calls of a loop that wait for a person: the attempt ends, somebody decides, and the next attempt goes on there. */
import type { Approval, NextPlan, StepEntry } from "../plan-state.ts";
import type { AskedCall, StepAsked } from "../../events/step-events.ts";
import { LIMITS } from "../../values/limits.ts";
import { countUsage, giveUpStopping, openAttempt } from "../step/attempt-transitions.ts";
import { withCallDone } from "./call-ledger.ts";
import { callToken, isCallNamed } from "./loop-calls.ts";
import { itemOf } from "../runs.ts";
import type { CallLeave } from "../step/step-records.ts";
import { awaitApproval, leave, makeReady } from "../step/step-transitions.ts";

/** Takes in that an attempt has ended with a question. */
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
  leave(next, entry);
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

/** The loop goes on, with leave for its call, with what it returned, or with the reason why there is neither. */
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
  leave(next, entry);
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

/** A turn that was thought lost has come after all: nobody has to decide about its call any more. */
export function goOnUnasked(next: NextPlan, entry: StepEntry): void {
  if (entry.state.status !== "awaiting-approval") return;
  const { attempt } = entry.state;
  leave(next, entry);
  makeReady(next, { ...entry, asked: (entry.asked ?? 0) + 1 }, attempt + 1);
}

/** Its turn is over. */
export function withoutLeave<Entry extends StepEntry>({ leave: _leave, ...entry }: Entry) {
  return entry;
}
