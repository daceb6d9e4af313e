import type { Effect, Risk } from "@planwright/plan";

/** What a server declares about a tool: unverified hints. */
export type ToolHints = {
  readonly readOnlyHint?: boolean | undefined;
  readonly destructiveHint?: boolean | undefined;
  readonly idempotentHint?: boolean | undefined;
  readonly openWorldHint?: boolean | undefined;
};

/**
 * What a tool's hints are taken for. What is not said is taken for the worse, as the protocol has it: it changes
 * something, destroys something, acts again each time, and reaches other parties.
 */
export function riskOf(hints: ToolHints = {}): { readonly risk: Risk; readonly effect: Effect } {
  const {
    readOnlyHint = false,
    destructiveHint = true,
    idempotentHint = false,
    openWorldHint = true,
  } = hints;
  // What a plan sends to an outside party cannot be taken back.
  if (readOnlyHint) return { effect: "read", risk: openWorldHint ? "medium" : "low" };
  return { effect: idempotentHint ? "idempotent" : "once", risk: destructiveHint ? "high" : "medium" };
}
