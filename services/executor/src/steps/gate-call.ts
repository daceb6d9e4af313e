/** Reasons not to make a call of a loop: the installation's policy, a gate, or arguments that its tool does not accept. */
import {
  type CalledTool,
  callOfLoop,
  denial,
  type JsonObject,
  type KnownPlan,
  type PolicyCall,
  runOf,
  type StepWork,
  type Turn,
  waitsForApproval,
  type AskedCall,
} from "@planwright/plan";
import { describeError, PermanentError } from "@planwright/shared/errors";
import type { AskedTurn, NewTurn, Tool } from "../tools/define-tool.ts";
import type { FilledCall } from "../secrets/secrets.ts";
import type { StepDeps } from "./step-deps.ts";

const MESSAGE_CHARS_MAX = 2_000;

/** A call to be made, as gates judge it. */
export type GatedTurn = {
  readonly asked: AskedTurn;
  readonly judged: PolicyCall & { readonly args: JsonObject };
};

/**
 * The call as gates judge it.
 *
 * @param called - The calls of this attempt: the plan's log may not show them yet.
 */
export function gatedTurn(
  plan: KnownPlan,
  work: StepWork,
  { asked, called }: { readonly asked: AskedTurn; readonly called: readonly CalledTool[] },
): GatedTurn {
  const { tool, args, turn } = asked;
  const run = runOf(plan, work);
  const call = run === undefined ? { tool } : callOfLoop(plan, run, { tool, args, turn, called });
  return { asked, judged: { ...call, args } };
}

/**
 * The same for a call that has not been judged before. Looks up in the log what earlier turns have read, if that could contain
 * the URL.
 */
export async function newTurn(
  plan: KnownPlan,
  work: StepWork,
  { reread, ...made }: Parameters<typeof gatedTurn>[2] & { readonly reread: () => Promise<KnownPlan> },
): Promise<GatedTurn> {
  const turn = gatedTurn(plan, work, made);
  const { composed = [] } = turn.judged;
  return composed.length === 0 ? turn : gatedTurn(await reread(), work, made);
}

/** The turn of a call that the installation's policy forbids; undefined when it does not. */
export function refusedTurn(
  { goal }: Pick<KnownPlan, "goal">,
  { asked, judged }: GatedTurn,
): NewTurn | undefined {
  const error = denial(goal, judged);
  return error === undefined ? undefined : { ...asked, error };
}

/** The same for a call that a user has approved: that a model composed it no longer counts. */
export function refusedThough(
  plan: Pick<KnownPlan, "goal">,
  { asked, judged }: GatedTurn,
): NewTurn | undefined {
  return refusedTurn(plan, { asked, judged: { ...judged, composed: undefined } });
}

/**
 * The turn of a call that would need approval but cannot run; undefined when it needs none.
 *
 * @throws {CallAskedError} When it needs approval.
 */
export function heldBack(
  { goal }: Pick<KnownPlan, "goal">,
  tool: Tool,
  { asked, judged }: GatedTurn,
): NewTurn | undefined {
  const { risk } = tool.spec;
  if (!waitsForApproval(goal, { ...judged, risk })) return undefined;
  const error = faultOf(tool, asked.args);
  if (error !== undefined) return { ...asked, error };
  throw new CallAskedError({ ...asked, risk });
}

/** Why a tool does not accept these arguments. A call that cannot run has no effect, and is not started. */
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

/** The arguments with the values of secrets, or the error of a call that cannot use them. */
export async function fillCall(
  { secrets }: StepDeps,
  work: StepWork,
  call: Pick<AskedTurn, "tool" | "args">,
): Promise<FilledCall | { readonly error: NonNullable<NewTurn["error"]> }> {
  try {
    return await secrets.fillLoopCall(work, call);
  } catch (error) {
    if (!(error instanceof PermanentError)) throw error;
    return { error: errorOf(error) };
  }
}

/**
 * Interrupts a loop at a call that needs a user's decision: whether it can be made, or whether it took effect. The attempt ends,
 * and occupies no worker in the meantime.
 */
export class CallAskedError extends Error {
  override readonly name = "CallAskedError";
  readonly call: AskedCall;

  constructor(call: AskedCall) {
    super(`${call.tool} waits for approval`);
    this.call = call;
  }
}
