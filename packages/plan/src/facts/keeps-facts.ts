/** Which outputs a model turns into facts. */
import type { StepOutput, ToolGrant } from "../events/values.ts";
import type { FactsPolicy } from "./facts-policy.ts";

/** Larger outputs are stored as artifacts when facts are extracted; planners and reviewers see only the start of each. */
export const PAYLOAD_BYTES_MAX = 4_096;

/** Whether a tool's outputs are raw material that facts are extracted from. */
export function keepsFactsOf(
  policy: FactsPolicy | undefined,
  { modelTokens }: Pick<ToolGrant, "modelTokens">,
): boolean {
  return policy !== undefined && policy !== "off" && modelTokens === undefined;
}

export function isToBeProcessed(
  policy: FactsPolicy | undefined,
  grant: ToolGrant,
  output: StepOutput,
): boolean {
  if (!keepsFactsOf(policy, grant)) return false;
  return policy === "all" || "artifact" in output;
}
