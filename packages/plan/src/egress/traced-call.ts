import type { StepEntry } from "../machine/plan-state.ts";
import type { Trace, Written } from "../policy/provenance.ts";
import type { JsonObject } from "../values/json.ts";

/** A call, and where its arguments come from. */
export type TracedCall = {
  readonly tool: string;
  /** Undefined while they are not known: then the call is not made yet. */
  readonly args: JsonObject | undefined;
  readonly trace: () => Trace;
  /** As the plan has them; absent for calls of a loop. */
  readonly written?: Written | undefined;
  /** Of a call in a loop: the loop, and the call's turn. */
  readonly loop?: { readonly run: Pick<StepEntry, "turns">; readonly turn: number } | undefined;
};
