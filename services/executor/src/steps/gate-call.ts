/** What keeps a call of a loop from being made: the installation's policy, a gate, or arguments that its tool does not take. */
import {
  type CalledTool,
  denial,
  type JsonObject,
  type KnownPlan,
  type Provenance,
  provenanceOfCall,
  runOf,
  type StepWork,
  type Turn,
  waitsForApproval,
} from "@planwright/plan";
import { describeError, PermanentError } from "@planwright/shared/errors";
import type { AskedTurn, NewTurn, Tool } from "../tools/define-tool.ts";
import { CallAskedError } from "./call-asked-error.ts";

const MESSAGE_CHARS_MAX = 2_000;

/** A call that is to be made, and where its arguments come from, as far as a rule asks for it. */
export type GatedTurn = { readonly asked: AskedTurn; readonly from: Provenance | undefined };

/** Where the arguments of a call in `turn` come from; undefined where no policy asks for it, or the step is gone. */
export function originOf(
  plan: KnownPlan,
  work: StepWork,
  made: { readonly turn: number; readonly called: readonly CalledTool[] },
): Provenance | undefined {
  const run = plan.goal.policy === undefined ? undefined : runOf(plan, work);
  return run === undefined ? undefined : provenanceOfCall(plan, run, made);
}

/** The turn of a call that the installation's policy forbids; undefined when it does not. */
export function refusedTurn(
  { goal }: Pick<KnownPlan, "goal">,
  { asked, from }: GatedTurn,
): NewTurn | undefined {
  const error = denial(goal.policy, { tool: asked.tool, args: asked.args, from });
  return error === undefined ? undefined : { ...asked, error };
}

/**
 * The turn of a call that would wait for approval, and cannot run; undefined when it does not wait.
 *
 * @throws {CallAskedError} When somebody has to approve it.
 */
export function heldBack(
  { goal }: Pick<KnownPlan, "goal">,
  tool: Tool,
  { asked, from }: GatedTurn,
): NewTurn | undefined {
  const { risk } = tool.spec;
  if (!waitsForApproval(goal, { tool: asked.tool, args: asked.args, from, risk })) return undefined;
  const error = faultOf(tool, asked.args);
  if (error !== undefined) return { ...asked, error };
  throw new CallAskedError({ ...asked, risk });
}

/** Why a tool does not take these arguments. What cannot run has no effect, and begins nothing. */
export function faultOf(tool: Tool, args: JsonObject): Turn["error"] {
  try {
    tool.parseInput(args);
    return undefined;
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error;
    return errorOf(error);
  }
}

export function errorOf(error: PermanentError): NonNullable<Turn["error"]> {
  return { code: error.code, message: describeError(error).slice(0, MESSAGE_CHARS_MAX) };
}
