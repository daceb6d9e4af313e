import type { Effect, Risk } from "@planwright/plan";

/** What a server declares about a tool: unverified hints. */
export type ToolHints = {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
};

/**
 * Derives risk and effect from a tool's hints. Missing hints default to the worse case, as the protocol specifies: the tool
 * writes, is destructive, is not idempotent, and reaches outside parties.
 */
export function riskOf(hints: ToolHints = {}): { readonly risk: Risk; readonly effect: Effect } {
  const {
    readOnlyHint = false,
    destructiveHint = true,
    idempotentHint = false,
    openWorldHint = true,
  } = hints;
  // Data that a plan sends to an outside party cannot be taken back.
  if (readOnlyHint) return { effect: "read", risk: openWorldHint ? "medium" : "low" };
  return { effect: idempotentHint ? "idempotent" : "once", risk: destructiveHint ? "high" : "medium" };
}
