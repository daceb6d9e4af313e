/** Settles an attempt that runs at most once and may have taken effect: by a check, or by a user's decision. */
import type { StepWork } from "@planwright/plan";
import { describeError } from "@planwright/shared/errors";
import type { CheckResult } from "../tools/define-tool.ts";
import { keepOutput } from "./keep-output.ts";
import type { Outcome } from "./report.ts";
import type { StepDeps } from "./step-deps.ts";
import { prepareCall, type ToolCall } from "./tool-call.ts";

/** How long a target may take to say whether it acted. */
const CHECK_MS = 30_000;

export type Settled =
  | Outcome
  /** It has not acted, or acting again does no harm. */
  | { readonly kind: "repeatable"; readonly isSure: boolean }
  | { readonly kind: "interrupted"; readonly message: string };

/**
 * Finds out whether the attempt has acted: from a tool whose target drops repeated keys, or one that can ask.
 *
 * @param why - Why that is not known.
 * @throws The signal's reason when it aborts.
 */
export async function settleDoubt(
  deps: StepDeps,
  work: StepWork,
  { why, signal }: { readonly why: string; readonly signal: AbortSignal },
): Promise<Settled> {
  try {
    const both = AbortSignal.any([signal, AbortSignal.timeout(CHECK_MS)]);
    const call = await prepareCall(deps, work, { signal: both, model: deps.model });
    if (call.tool.rejectsRepeatedKeys(call.args)) return { kind: "repeatable", isSure: false };
    const checked = await call.tool.check(call.args, call.context);
    return await settledBy(checked, { deps, work, call, why });
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "interrupted", message: messageOf(`${why}; ${describeError(error)}`) };
  }
}

async function settledBy(
  checked: CheckResult,
  {
    deps,
    work,
    call,
    why,
  }: { readonly deps: StepDeps; readonly work: StepWork; readonly call: ToolCall; readonly why: string },
): Promise<Settled> {
  switch (checked.kind) {
    case "done": {
      const output = await keepOutput(deps, work, call.tool.parseOutput(checked.output));
      return { kind: "succeeded", output, artifacts: [] };
    }
    case "not-done":
      return { kind: "repeatable", isSure: true };
    case "unknown":
      return { kind: "interrupted", message: messageOf(why) };
    default:
      return checked satisfies never;
  }
}

function messageOf(text: string): string {
  return text.slice(0, 4_000);
}
