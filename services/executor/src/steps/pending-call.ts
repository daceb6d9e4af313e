import { begunCall, type CallRecord, type StepEntry } from "@planwright/plan";
import type { AskedTurn, NewTurn } from "../tools/define-tool.ts";

export type PendingCall =
  /** It was begun, and nobody knows what became of it. */
  | { readonly kind: "begun"; readonly call: CallRecord }
  /** A person has let it be made, with these arguments. */
  | { readonly kind: "allowed"; readonly asked: AskedTurn }
  /** A person has refused it: that is the turn. */
  | { readonly kind: "refused"; readonly turn: NewTurn };

/** The call that a loop has to go on with before it thinks again; undefined when there is none. */
export function pendingCall(run: StepEntry): PendingCall | undefined {
  const begun = begunCall(run);
  if (begun !== undefined) return { kind: "begun", call: begun };
  const { leave, turns = [] } = run;
  if (leave === undefined || leave.call.turn !== turns.length + 1) return undefined;
  const { turn, thought, tool, args: proposed } = leave.call;
  const { args, rejected = "rejected" } = leave;
  if (args !== undefined) return { kind: "allowed", asked: { turn, thought, tool, args } };
  const error = { code: "approval_rejected", message: rejected };
  return { kind: "refused", turn: { turn, thought, tool, args: proposed, error } };
}
