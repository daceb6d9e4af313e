/** Which outputs a model turns into facts. */
import { z } from "zod";
import type { StepOutput, ToolGrant } from "../events/values.ts";

/** Larger outputs are stored as artifacts when facts are extracted; planners and reviewers see only the start of each. */
export const PAYLOAD_BYTES_MAX = 4_096;

/**
 * - `off`: none;
 * - `large`: those above {@link PAYLOAD_BYTES_MAX}, which only the processor reads in full;
 * - `all`: every output.
 *
 * Each output costs one model call. Outputs that a model wrote are never processed: their prompt sets their length.
 */
export const FactsPolicy = z.enum(["off", "large", "all"]);
export type FactsPolicy = z.infer<typeof FactsPolicy>;

/** Whether a tool's outputs are raw material that facts are extracted from. */
export function keepsFactsOf(policy: FactsPolicy, { modelTokens }: Pick<ToolGrant, "modelTokens">): boolean {
  return policy !== "off" && modelTokens === undefined;
}

export function isToBeProcessed(policy: FactsPolicy, grant: ToolGrant, output: StepOutput): boolean {
  if (!keepsFactsOf(policy, grant)) return false;
  return policy === "all" || "artifact" in output;
}
