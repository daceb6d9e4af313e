/** Calls of a loop that wait for a person: the attempt ends, somebody decides, and the next attempt goes on there. */
import type { AskedCall, StepAsked } from "../events/step-events.ts";
import { countUsage, giveUpStopping, openAttempt } from "./attempt-transitions.ts";
import type { Approval, StepEntry } from "./plan-state.ts";
import { itemOf } from "./runs.ts";
import { awaitApproval, fillCapacity, leave, makeReady, type NextPlan } from "./step-transitions.ts";

/** Takes in that an attempt has ended with a question. */
export function askForCall(next: NextPlan, { data }: StepAsked): boolean {
  const entry = openAttempt(next, data);
  if (entry?.state.status !== "running") return false;
  countUsage(next, data);
  if (entry.state.stopping !== undefined) {
    giveUpStopping(next, entry);
    return true;
  }
  const { attempt, call } = data;
  leave(next, entry);
  awaitApproval(next, withoutLeave(entry), {
    attempt,
    approvalId: `call-${entry.step.id}-${itemOf(entry)}-${call.turn}-${attempt}`,
    about: { kind: "tool-risk", call },
  });
  fillCapacity(next);
  return true;
}

/** The loop goes on, with leave for its call or with the reason why there is none. */
export function decideCall(
  next: NextPlan,
  entry: StepEntry,
  { call, approval, said }: { readonly call: AskedCall; readonly approval: Approval; readonly said: string },
): void {
  const { approvalId, decided, attempt = 1 } = approval;
  const about = { call, approvalId };
  const answer =
    decided?.decision === "approve"
      ? { ...about, args: decided.edits ?? call.args }
      : { ...about, rejected: `rejected by ${said}` };
  leave(next, entry);
  makeReady(next, { ...entry, leave: answer, asked: (entry.asked ?? 0) + 1 }, attempt + 1);
}

/** Its turn is over, or another call waits. */
export function withoutLeave<Entry extends StepEntry>({ leave: _leave, ...entry }: Entry) {
  return entry;
}
