/** The turns of a step that thinks, acts and observes in a loop. */
import { z } from "zod";
import { PROGRAM_CALLS_MAX } from "../arguments/code-run.ts";
import { StepId } from "../values/ids.ts";
import { JsonObject } from "../values/json.ts";
import { Effect } from "../language/tool-spec.ts";
import { ApprovalId } from "./approval-events.ts";
import { callToken } from "../values/call-name.ts";
import { defineEvent, firstOnSubject } from "./define-event.ts";
import { StepError } from "./step-events.ts";
import { Attempt, FromPool, Item, StepOutput, TURN_CALLS_MAX, TurnCall } from "./values.ts";

/** Maximum for a model-driven loop, over all its attempts. */
export const TURNS_MAX = 50;
/** Maximum tool calls of a model-driven loop, over all its turns and attempts. */
export const LOOP_CALLS_MAX = 100;

const TurnNumber = z.int().min(1).max(PROGRAM_CALLS_MAX);

/** A call as the model requested it. */
const WantedCall = z.object({
  tool: z.string().max(128).optional(),
  args: JsonObject.optional(),
  error: StepError.optional().meta({ description: "Why the call is not made." }),
});

/**
 * A turn with several calls begins: the model's reasoning, and the calls in its order. Each call then has its own
 * `turn.taken`. A worker that resumes the step makes the calls that have none.
 */
export const TurnStarted = defineEvent("turn.started", {
  stepId: StepId,
  item: Item,
  pool: FromPool,
  attempt: Attempt,
  turn: TurnNumber,
  thought: z.string().max(4_000),
  calls: z.array(WantedCall).min(2).max(TURN_CALLS_MAX),
}).named(({ stepId, item, turn, attempt }) => `${stepId}/${item}/turn/${turn}/started/${attempt}`);
export type TurnStarted = z.infer<typeof TurnStarted>;

/**
 * A call of a loop that changes something begins. A worker that resumes the step resumes with this call: as long as
 * the call has no outcome, it is unknown whether it took effect.
 */
export const CallStarted = defineEvent("call.started", {
  stepId: StepId,
  item: Item,
  pool: FromPool,
  attempt: Attempt,
  turn: TurnNumber.meta({ description: "The turn of the call; also part of its effect key." }),
  call: TurnCall.meta({
    description: "Position in a turn with several calls. The effect key then ends with `<turn>_<call>`.",
  }),
  thought: z.string().max(4_000),
  tool: z.string().max(128),
  args: JsonObject,
  proposed: JsonObject.optional().meta({
    description: "The arguments that the loop proposed; set if a reviewer changed them.",
  }),
  effect: Effect,
  leave: ApprovalId.optional().meta({
    description:
      "The approval with which a reviewer allowed the call to be repeated; absent for the first call.",
  }),
  workerId: z.string(),
}).named((data, writer: string) =>
  firstOnSubject(`${data.stepId}/${data.item}/call/${callToken(data)}`, writer),
);
export type CallStarted = z.infer<typeof CallStarted>;

/**
 * A call of a loop has finished, or a turn without a call: the model's reasoning, the call that it made, and its
 * outcome. A worker that resumes the step resumes with the first call or turn without such an event.
 */
export const TurnTaken = defineEvent("turn.taken", {
  stepId: StepId,
  item: Item,
  pool: FromPool,
  attempt: Attempt.meta({ description: "The attempt in which the turn was taken." }),
  turn: TurnNumber.meta({
    description: "Number of the step's turn, from 1, over all attempts; also part of the effect key.",
  }),
  call: TurnCall.meta({
    description:
      "Position of the call in a turn that began with `turn.started`; absent in a turn with one call or none.",
  }),
  thought: z.string().max(4_000),
  tool: z
    .string()
    .max(128)
    .optional()
    .meta({ description: "Absent if the model's reply contained no call." }),
  args: JsonObject.optional(),
  proposed: JsonObject.optional(),
  output: StepOutput.optional().meta({ description: "Output of the call." }),
  error: StepError.optional().meta({ description: "Why there was no call, or why it failed." }),
  uncertain: z.literal(true).optional().meta({ description: "The call failed but may have taken effect." }),
}).named((data) => `${data.stepId}/${data.item}/turn/${callToken(data)}/${data.attempt}`);
export type TurnTaken = z.infer<typeof TurnTaken>;
