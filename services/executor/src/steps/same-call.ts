/** Identifies the call that a loop wants: by its tool and arguments, whatever a user has changed in these. */
import { canonicalJson, type JsonObject, type Turn } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import type { AskedTurn } from "../tools/define-tool.ts";

export type Wanting = Pick<Turn, "tool" | "args" | "proposed">;

export function isSameCall(one: Wanting, other: Wanting): boolean {
  return nameOf(one) === nameOf(other);
}

/** @throws {PermanentError} `replay_diverged` when the call of a turn is another than the log has. */
export function refuseOther(made: Wanting, wanted: AskedTurn): void {
  if (isSameCall(made, wanted)) return;
  throw new PermanentError(
    `call ${wanted.turn} was ${shown(made)}, and is ${shown(wanted)} now: the program is not deterministic`,
    { code: "replay_diverged" },
  );
}

/** The call with what a person has made of its arguments; what the loop wanted is kept beside it. */
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
