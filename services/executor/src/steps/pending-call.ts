import { begunCall, type CallLeave, type CallRecord, comesNext, type StepEntry } from "@planwright/plan";
import { type Wanting, withArgs } from "./same-call.ts";
import type { AskedTurn, NewTurn } from "../tools/define-tool.ts";

export type PendingCall =
  /** It was started, and its outcome is unknown. */
  | { readonly kind: "begun"; readonly call: CallRecord }
  /** A person has let it be made, with these arguments; by `leave`, once more. */
  | { readonly kind: "allowed"; readonly asked: AskedTurn; readonly leave?: string }
  /** A person has refused it, or knows what it came to: that is the turn. */
  | { readonly kind: "told"; readonly turn: NewTurn };

const REASON_CHARS_MAX = 1_000;

/** The call that a loop has to continue before it thinks again; undefined when there is none. */
export function pendingCall(run: StepEntry): PendingCall | undefined {
  const { leave } = run;
  const begun = begunCall(run);
  const isDecided = leave !== undefined && comesNext(run, leave.call);
  if (isDecided && leave.call.doubt !== undefined && begun?.leave !== leave.approvalId)
    return doubtful(leave);
  if (begun !== undefined) return { kind: "begun", call: begun };
  if (!isDecided) return undefined;
  const taken = takenOf(leave);
  const { args, rejected = "rejected" } = leave;
  if (args !== undefined) return { kind: "allowed", asked: withArgs(taken, args) };
  const error = { code: "approval_rejected", message: rejected };
  return { kind: "told", turn: { ...taken, error } };
}

/** A user's decision about a call with an unknown outcome. */
function doubtful(leave: CallLeave): PendingCall {
  const { call, approvalId, args, output, rejected = "rejected" } = leave;
  const { doubt = "" } = call;
  const taken = takenOf(leave);
  if (args !== undefined) return { kind: "allowed", asked: withArgs(taken, args), leave: approvalId };
  if (output !== undefined) return { kind: "told", turn: { ...taken, output: { value: output } } };
  const why = `${doubt.slice(-REASON_CHARS_MAX)}; ${rejected.slice(0, REASON_CHARS_MAX)}`;
  const message = `${why}: it is unknown whether the call took effect, so it must not be repeated`;
  return { kind: "told", turn: { ...taken, error: { code: "outcome_unknown", message }, uncertain: true } };
}

function takenOf({ call: asked }: CallLeave): Wanting & AskedTurn {
  const { turn, call, thought, tool, args, proposed } = asked;
  return {
    turn,
    ...(call === undefined ? {} : { call }),
    thought,
    tool,
    args,
    ...(proposed === undefined ? {} : { proposed }),
  };
}

/** The call itself, whatever is to become of it. */
export function callOf(pending: PendingCall): Wanting {
  switch (pending.kind) {
    case "begun":
      return pending.call;
    case "allowed":
      return pending.asked;
    case "told":
      return pending.turn;
    default:
      return pending satisfies never;
  }
}
