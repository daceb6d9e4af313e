/** Which outputs a model turns into facts. */
import { z } from "zod";
import type { StepOutput, ToolGrant } from "../events/values.ts";

/** Outputs above this are artifacts when facts are kept of them: whoever plans and judges sees the start of each. */
export const PAYLOAD_BYTES_MAX = 4_096;

/**
 * - `off`: none;
 * - `large`: those above {@link PAYLOAD_BYTES_MAX}, which nobody but the processor reads whole;
 * - `all`: every output.
 *
 * Each costs one model call. What a model has written is never looked at: it is as short as it was asked to be.
 */
export const FactsPolicy = z.enum(["off", "large", "all"]);
export type FactsPolicy = z.infer<typeof FactsPolicy>;

/** Whether outputs of a tool are raw material, of which facts are kept. */
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
