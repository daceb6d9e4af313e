/** The turns of a step that thinks, acts and observes in a loop. */
import { z } from "zod";
import { PROGRAM_CALLS_MAX } from "../code-run.ts";
import { StepId } from "../ids.ts";
import { JsonObject } from "../json.ts";
import { Effect } from "../tool-spec.ts";
import { ApprovalId } from "./approval-events.ts";
import { defineEvent } from "./define-event.ts";
import { StepError } from "./step-events.ts";
import { Attempt, Item, StepOutput } from "./values.ts";

/** Of a loop that a model leads, over all its attempts. */
export const TURNS_MAX = 50;

const TurnNumber = z.int().min(1).max(PROGRAM_CALLS_MAX);

/**
 * A call of a loop that changes something begins. Whoever goes on with the step goes on with this call: as long as
 * its turn is not over, nobody knows whether it took effect.
 */
export const CallStarted = defineEvent("call.started", {
  stepId: StepId,
  item: Item,
  attempt: Attempt,
  /** The turn whose call it is; also the `call` of its effect key. */
  turn: TurnNumber,
  thought: z.string().max(4_000),
  tool: z.string().max(128),
  args: JsonObject,
  /** The arguments that the loop wanted, where a person has changed them; else it wanted `args`. */
  proposed: JsonObject.optional(),
  effect: Effect,
  /** A person has let it be made once more; absent when it is made for the first time. */
  leave: ApprovalId.optional(),
  workerId: z.string(),
});
export type CallStarted = z.infer<typeof CallStarted>;

/**
 * One turn is over: what the model thought, the call that it made, and what came of it. Whoever goes on with the step
 * goes on after its last turn.
 */
export const TurnTaken = defineEvent("turn.taken", {
  stepId: StepId,
  item: Item,
  /** The attempt that took it. */
  attempt: Attempt,
  /** Counts the step's turns from 1, over all attempts; also the `call` of the turn's effect key. */
  turn: TurnNumber,
  thought: z.string().max(4_000),
  /** Absent when the model's reply named no call. */
  tool: z.string().max(128).optional(),
  args: JsonObject.optional(),
  proposed: JsonObject.optional(),
  /** What the call returned. */
  output: StepOutput.optional(),
  /** Why there was no call, or what became of it. */
  error: StepError.optional(),
  /** Its call has failed, and may have acted all the same. */
  uncertain: z.literal(true).optional(),
});
export type TurnTaken = z.infer<typeof TurnTaken>;
