/** What is seen of one attempt that changes something. */
import { z } from "zod";
import { PlanId, StepId } from "./ids.ts";
import { Effect } from "./tool-spec.ts";

export const EffectView = z.object({
  /** The same over all attempts of a step: what its tool gives to its target. */
  key: z.string(),
  stepId: StepId,
  /** Of a step that runs for each of a list. */
  item: z.int().nonnegative().optional(),
  /** Of a call inside a loop: its turn. */
  turn: z.int().positive().optional(),
  /** Of a call in a turn of several calls: its place, from 1. */
  call: z.int().positive().optional(),
  /** It is what undoes the step. */
  undo: z.literal(true).optional(),
  attempt: z.int(),
  tool: z.string(),
  effect: Effect,
  /**
   * `asked`: it has ended with a question to a person, and a later attempt goes on. `unknown`: it may have taken place,
   * and nobody could find out.
   */
  status: z.enum(["started", "asked", "done", "failed", "unknown"]),
  /** When that became known. */
  at: z.string(),
  /** The worker that said so, or the person. */
  by: z.string(),
  /** The plan that compensates the effect, or asks a person to: its outcome came after the end of this plan. */
  followedUpBy: PlanId.optional(),
});
export type EffectView = z.infer<typeof EffectView>;
