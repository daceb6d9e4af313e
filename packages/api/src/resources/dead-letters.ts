/** Dead letters: failed deliveries, by cause and individually, and the actions on them. */
import { JsonValue, PlanId, StepId } from "@planwright/plan";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { EXAMPLE_PLAN_ID } from "../plan-ids.ts";

const GroupName = z.string().max(64);

const DeadLettersQuery = z.object({
  planId: z.string().max(128).optional().meta({ description: "Only dead letters of this plan." }),
  group: GroupName.optional().meta({ description: "Only dead letters of this group." }),
  limit: z.coerce
    .number()
    .pipe(z.int().min(1).max(1_000))
    .default(100)
    .meta({ description: "Dead letters on one page." }),
  cursor: z.string().max(32).optional().meta({ description: "The `nextCursor` of the previous page." }),
});
const DeadLetterPath = z.object({ id: z.string() });

export const DeadLetter = z.object({
  id: z.string().meta({ description: "Stream sequence number. It is never reused." }),
  group: z.string().meta({ description: "Dead letters with the same cause are in the same group." }),
  kind: z.enum(["step", "draft", "synthesis", "review", "facts", "unknown"]).meta({
    description: "Kind of work; `unknown` for messages that dispatchers of this version do not send.",
  }),
  pool: z.string().optional(),
  planId: PlanId.optional(),
  stepId: StepId.optional(),
  attempt: z.int().optional(),
  item: z
    .int()
    .optional()
    .meta({ description: "For a step with `forEach`: the index of the item. Otherwise 0." }),
  number: z.int().optional().meta({ description: "Number of the draft or review." }),
  cause: z.string(),
  deliveries: z.int(),
  at: z.string(),
});
export type DeadLetter = z.output<typeof DeadLetter>;

export const DeadLetterGroup = z.object({
  group: z.string(),
  kind: DeadLetter.shape.kind,
  pool: z.string().optional(),
  cause: z.string().meta({ description: "The cause, without numbers, ids and quoted text." }),
  count: z.int(),
  firstAt: z.string(),
  lastAt: z.string(),
  sample: DeadLetter.meta({ description: "The newest dead letter of the group." }),
});
export type DeadLetterGroup = z.output<typeof DeadLetterGroup>;

export const DeadLetterPage = z.object({
  total: z.int().meta({ description: "Number of all dead letters, regardless of filters." }),
  groups: z
    .array(DeadLetterGroup)
    .meta({ description: "Groups of the dead letters that match the filters, largest first." }),
  deadLetters: z.array(DeadLetter).meta({ description: "Newest first." }),
  nextCursor: z.string().optional(),
});
export type DeadLetterPage = z.output<typeof DeadLetterPage>;

export const DeadLetterDetail = DeadLetter.extend({
  payload: JsonValue.meta({
    description:
      "The message, as JSON if possible, otherwise as text. Limited to the first 100,000 characters.",
  }),
});
export type DeadLetterDetail = z.output<typeof DeadLetterDetail>;

/** One group, or all. */
export const WhichDeadLetters = z.union([
  z.strictObject({ group: GroupName }),
  z.strictObject({ all: z.literal(true) }),
]);

export type WhichDeadLetters = z.output<typeof WhichDeadLetters>;

export const Retried = z.object({
  id: z.string(),
  planId: PlanId,
  stepId: StepId,
  attempt: z.int().meta({ description: "Number of the attempt that the retry starts." }),
});
export type Retried = z.output<typeof Retried>;

export const RetriedMany = z.object({
  retried: z.int(),
  refused: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  left: z.int().meta({
    description: "Number of dead letters that were not processed. Repeat the request to process them.",
  }),
});
export type RetriedMany = z.output<typeof RetriedMany>;

export const DiscardedMany = z.object({ discarded: z.int(), left: z.int() });
export type DiscardedMany = z.output<typeof DiscardedMany>;

const tag = "dead letters";
const EXAMPLE_LETTER = {
  id: "17",
  group: "b0sYV1cT2mQ9x4Za",
  kind: "step",
  pool: "default",
  planId: EXAMPLE_PLAN_ID,
  stepId: "answer",
  attempt: 1,
  item: 0,
  cause: "the worker ended while it ran the step",
  deliveries: 5,
  at: "2026-01-31T10:00:00.000Z",
};

export const listDeadLetters = defineEndpoint({
  id: "listDeadLetters",
  method: "GET",
  path: "/v1/dead-letters",
  tag,
  summary: "List dead letters, individually and by cause",
  query: DeadLettersQuery,
  responses: { 200: DeadLetterPage },
  example: { response: { total: 1, groups: [], deadLetters: [EXAMPLE_LETTER] } },
});

export const getDeadLetter = defineEndpoint({
  id: "getDeadLetter",
  method: "GET",
  path: "/v1/dead-letters/:id",
  tag,
  summary: "Get a dead letter with its payload",
  params: DeadLetterPath,
  responses: { 200: DeadLetterDetail },
  problems: ["dead_letter_not_found"],
  example: { response: { ...EXAMPLE_LETTER, payload: { stepId: "answer" } } },
});

export const retryDeadLetter = defineEndpoint({
  id: "retryDeadLetter",
  method: "POST",
  path: "/v1/dead-letters/:id/retry",
  oldPaths: ["/v1/dead-letters/:id/redrive"],
  tag,
  summary: "Retry the step of a dead letter",
  params: DeadLetterPath,
  responses: { 202: Retried },
  problems: ["dead_letter_not_found", "retry_refused", "plan_ended", "store_full"],
  example: { response: { id: "17", planId: EXAMPLE_PLAN_ID, stepId: "answer", attempt: 2 } },
});

export const retryDeadLetters = defineEndpoint({
  id: "retryDeadLetters",
  method: "POST",
  path: "/v1/dead-letters/retry",
  oldPaths: ["/v1/dead-letters/redrive"],
  tag,
  summary: "Retry the steps of a group of dead letters, or of all dead letters",
  body: WhichDeadLetters,
  responses: { 200: RetriedMany },
  problems: ["store_full"],
  example: { body: { group: EXAMPLE_LETTER.group }, response: { retried: 3, refused: [], left: 0 } },
});

export const discardDeadLetter = defineEndpoint({
  id: "discardDeadLetter",
  method: "DELETE",
  path: "/v1/dead-letters/:id",
  tag,
  summary: "Discard a dead letter",
  params: DeadLetterPath,
  responses: { 204: null },
  problems: ["dead_letter_not_found"],
});

export const discardDeadLetters = defineEndpoint({
  id: "discardDeadLetters",
  method: "POST",
  path: "/v1/dead-letters/discard",
  tag,
  summary: "Discard a group of dead letters, or all dead letters",
  body: WhichDeadLetters,
  responses: { 200: DiscardedMany },
  example: { body: { all: true }, response: { discarded: 3, left: 0 } },
});
