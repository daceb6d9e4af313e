import type { StepWork } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import type { FilledCall } from "../secrets/secrets.ts";
import type { AskedTurn, NewTurn } from "../tools/define-tool.ts";
import { errorOf } from "./gate-call.ts";
import type { StepDeps } from "./step-deps.ts";

/** The arguments with the values of secrets; the error of a call that may not use them. */
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
