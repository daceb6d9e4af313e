import {
  begunCall,
  type CallLeave,
  type CallRecord,
  comesNext,
  type StepEntry,
  canonicalJson,
  type JsonObject,
  type Turn,
} from "@planwright/plan";
import type { AskedTurn, NewTurn } from "../tools/define-tool.ts";
import { PermanentError } from "@planwright/shared/errors";

export type PendingCall =
  /** It was started, and its outcome is unknown. */
  | { readonly kind: "begun"; readonly call: CallRecord }
  /** A user has approved it with these arguments; with `leave`, once more. */
  | { readonly kind: "allowed"; readonly asked: AskedTurn; readonly leave?: string }
  /** A user has rejected it or reported its outcome, which completes the turn. */
  | { readonly kind: "told"; readonly turn: NewTurn };

const REASON_CHARS_MAX = 1_000;

/** The call that a loop has to continue before its next turn; undefined when there is none. */
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

/** The call itself, whatever was decided about it. */
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

/** Identifies the call that a loop wants: by its tool and arguments, even if a user has changed the arguments. */
export type Wanting = Pick<Turn, "tool" | "args" | "proposed">;

export function isSameCall(one: Wanting, other: Wanting): boolean {
  return nameOf(one) === nameOf(other);
}

/** @throws {PermanentError} `replay_diverged` when a turn's call differs from the one in the log. */
export function refuseOther(made: Wanting, wanted: AskedTurn): void {
  if (isSameCall(made, wanted)) return;
  throw new PermanentError(
    `call ${wanted.turn} was ${shown(made)}, and is ${shown(wanted)} now: the program is not deterministic`,
    { code: "replay_diverged" },
  );
}

/** The call with the arguments as a user changed them; the loop's own arguments are kept beside them. */
export function withArgs(call: AskedTurn, args: JsonObject): AskedTurn {
  const { proposed = call.args } = call;
  return canonicalJson(args) === canonicalJson(proposed) ? { ...call, args } : { ...call, args, proposed };
}

function nameOf({ tool, args, proposed = args }: Wanting): string {
  return canonicalJson([tool ?? null, proposed ?? null]);
}

function shown({ tool, args, proposed = args }: Wanting): string {
  return `${tool} ${JSON.stringify(proposed ?? {}).slice(0, 500)}`;
}
