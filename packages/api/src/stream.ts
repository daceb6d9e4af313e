/** The WebSocket messages in both directions. */
import { JsonValue, PlanEvent, PlanId, PlanView } from "@planwright/plan";
import { z } from "zod";
import { DecisionBody } from "./resources/approvals.ts";
import { defineEndpoint } from "./endpoint.ts";
import { IdempotencyKey } from "./plan-ids.ts";
import { PlanSummary } from "./resources/plan-list.ts";
import { FieldIssue, PROBLEMS, type ProblemCode } from "./problems.ts";

/**
 * The subprotocol that clients offer. Browsers send the API key as a second subprotocol: this prefix followed by the key in
 * base64url.
 */
export const SOCKET_PROTOCOL = "planwright.v1";
export const SOCKET_KEY_PREFIX = "bearer.";

/** Chosen by the client and returned with the response. */
export const MessageId = z.union([z.string().max(128), z.int()]);
export type MessageId = z.output<typeof MessageId>;

const PlanIdText = z.string().max(128);

export const ClientMessage = z.discriminatedUnion("type", [
  z
    .strictObject({
      id: MessageId,
      type: z.literal("submit"),
      body: JsonValue.meta({ description: "Same as the body of `POST /v1/plans`." }),
      idempotencyKey: IdempotencyKey.optional(),
      watch: z
        .boolean()
        .default(false)
        .meta({ description: "Whether to watch the plan, starting with its first event." }),
    })
    .meta({
      description: "Submits a goal. The response is `accepted`; with `watch`, the events of the plan follow.",
    }),
  z
    .strictObject({
      id: MessageId,
      type: z.literal("watch"),
      planId: PlanIdText,
      after: z
        .int()
        .nonnegative()
        .default(0)
        .meta({ description: "Number of the last event that you have received." }),
      as: z
        .enum(["events", "view", "facts"])
        .default("events")
        .transform((name) => (name === "facts" ? "events" : name))
        .meta({
          description:
            "`events`: all events. `view`: changes of the plan's view. `facts` is the deprecated old name of `events`.",
        }),
    })
    .meta({
      description:
        "Watches a plan until it finishes or until `unwatch`. The response is `ok`, followed by an `event` for each event, or `changes` of the view.",
    }),
  z
    .strictObject({ id: MessageId, type: z.literal("unwatch"), planId: PlanIdText })
    .meta({ description: "Stops watching a plan. The response is `ok`." }),
  z.strictObject({ id: MessageId, type: z.literal("watch-plans") }).meta({
    description:
      "Watches the list of plans until `unwatch-plans`. The response is `ok`; from then on, changes follow as `plans`. Read the list after `ok`.",
  }),
  z
    .strictObject({ id: MessageId, type: z.literal("unwatch-plans") })
    .meta({ description: "Stops watching the list of plans. The response is `ok`." }),
  z
    .strictObject({ id: MessageId, type: z.literal("resume"), planId: PlanIdText })
    .meta({ description: "Resumes a paused plan. The response is `ok`." }),
  z
    .strictObject({
      id: MessageId,
      type: z.enum(["cancel", "pause"]),
      planId: PlanIdText,
      reason: z.string().trim().min(1).max(2_000).optional(),
    })
    .meta({ description: "Cancels or pauses a plan. The response is `ok`." }),
  z
    .strictObject({
      id: MessageId,
      type: z.enum(["approve", "reject"]),
      planId: PlanIdText,
      approvalId: z.string().max(128),
      ...DecisionBody.omit({ decision: true, output: true, answer: true }).shape,
    })
    .meta({ description: "Decides an approval. The response is `ok`." }),
  z
    .strictObject({
      id: MessageId,
      type: z.literal("answer"),
      planId: PlanIdText,
      approvalId: z.string().max(128),
      ...DecisionBody.pick({ answer: true, by: true }).required({ answer: true }).shape,
    })
    .meta({ description: "Answers a question from a plan (`human.ask`). The response is `ok`." }),
]);
export type ClientMessage = z.output<typeof ClientMessage>;
/** A message as clients write it: fields with a default can be omitted. */
export type ClientMessageInput = z.input<typeof ClientMessage>;

/** `[path, value]` sets a value; `[path]` removes it. In a list, it also removes everything after it. */
const JsonPath = z.array(z.union([z.string(), z.int()]));
export const JsonChange = z.union([z.tuple([JsonPath]), z.tuple([JsonPath, JsonValue])]);

const CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];
const Seq = z.int().nonnegative();

export const ServerMessage = z.discriminatedUnion("type", [
  z
    .object({ type: z.literal("accepted"), id: MessageId, planId: PlanId, traceId: z.string() })
    .meta({ description: "The plan of a `submit` is stored." }),
  z.object({ type: z.literal("ok"), id: MessageId }).meta({
    description: "Any other request succeeded, or a watch started.",
  }),
  z
    .object({ type: z.literal("event"), planId: PlanId, seq: Seq, event: PlanEvent })
    .meta({ description: "An event of a watched plan. `seq` counts from 1 without gaps." }),
  z
    .object({
      type: z.literal("changes"),
      planId: PlanId,
      after: Seq,
      seq: Seq,
      changes: z.array(JsonChange),
    })
    .meta({
      description:
        "Changes that turn the view after event `after` into the view after event `seq`: a list of `[path, value]`, or of `[path]` for a removed field (in a list: for the rest of the list).",
    }),
  z
    .object({
      type: z.literal("plans"),
      plans: z.array(PlanSummary).meta({ description: "New and changed plans, as the list shows them now." }),
      removed: z.array(PlanId).meta({ description: "Plans that have left the list." }),
      more: z.boolean().meta({
        description: "Whether more plans have changed than are listed here: read the list again.",
      }),
    })
    .meta({ description: "Changes of the list of plans, up to two messages a second." }),
  z.object({ type: z.literal("resync"), planId: PlanId, plan: PlanView }).meta({
    description:
      "The client was too slow to receive every event, or the changes since `after` are unknown. The current view replaces all changes up to its `seq`.",
  }),
  z
    .object({
      type: z.literal("error"),
      id: MessageId.optional().meta({ description: "Absent if the message had none." }),
      code: z.enum(CODES),
      message: z.string(),
      issues: z.array(FieldIssue).optional(),
      retryAfterSeconds: z.number().optional(),
    })
    .meta({ description: "A message was rejected, or a watch ended." }),
]);
export type ServerMessage = z.output<typeof ServerMessage>;

export const openSocket = defineEndpoint({
  id: "openSocket",
  method: "GET",
  path: "/v1/ws",
  tag: "live",
  summary: "Open a WebSocket: submit, watch and control plans",
  description:
    "Uses the subprotocol `planwright.v1`. Browsers send their key as a second subprotocol: `bearer.` followed by the key in base64url. For the messages, see docs/reference/websocket.md.",
  responses: { 101: null },
  problems: ["upgrade_needed"],
});
