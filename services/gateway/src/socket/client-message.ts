/** What a client may say over the WebSocket. */
import { JsonValue } from "@planwright/plan";
import { z } from "zod";
import { DecisionBody } from "../approvals/decision-body.ts";
import { IdempotencyKey } from "../routes/submit.ts";

/** Chosen by the client and sent back with the answer. */
const MessageId = z.union([z.string().max(128), z.int()]);
export type MessageId = z.output<typeof MessageId>;

const PlanIdText = z.string().max(128);

export const ClientMessage = z.discriminatedUnion("type", [
  z.strictObject({
    id: MessageId,
    type: z.literal("submit"),
    /** As the body of `POST /v1/plans`. */
    body: JsonValue,
    idempotencyKey: IdempotencyKey.optional(),
    /** Whether to watch the plan from its first fact on. */
    watch: z.boolean().default(false),
  }),
  z.strictObject({
    id: MessageId,
    type: z.literal("watch"),
    planId: PlanIdText,
    /** The number of the last fact already known. */
    after: z.int().nonnegative().default(0),
    /** Every fact, or what changes of the plan's view: for whoever shows the plan as it is now. */
    as: z.enum(["facts", "view"]).default("facts"),
  }),
  z.strictObject({ id: MessageId, type: z.literal("unwatch"), planId: PlanIdText }),
  z.strictObject({ id: MessageId, type: z.literal("resume"), planId: PlanIdText }),
  z.strictObject({
    id: MessageId,
    type: z.enum(["cancel", "pause"]),
    planId: PlanIdText,
    reason: z.string().trim().min(1).max(2_000).optional(),
  }),
  z.strictObject({
    id: MessageId,
    type: z.enum(["approve", "reject"]),
    planId: PlanIdText,
    approvalId: z.string().max(128),
    ...DecisionBody.omit({ decision: true, output: true, answer: true }).shape,
  }),
  z.strictObject({
    id: MessageId,
    type: z.literal("answer"),
    planId: PlanIdText,
    approvalId: z.string().max(128),
    ...DecisionBody.pick({ answer: true, by: true }).required({ answer: true }).shape,
  }),
]);
export type ClientMessage = z.output<typeof ClientMessage>;

const WithId = z.object({ id: MessageId });

/** The id of a message that is at fault otherwise, so that its refusal can name it. */
export function messageIdOf(message: unknown): MessageId | undefined {
  return WithId.safeParse(message).data?.id;
}
