/** Model servers that do not answer: each failed call of a piece of work that tries again, and how it is counted. */
import { z } from "zod";
import { StepId } from "../ids.ts";
import { defineEvent } from "./define-event.ts";
import { Attempt, DraftNumber, FromPool, Item, Via } from "./values.ts";

/** The `code` of a failure whose cause is a model server that stopped answering, or never did. */
export const MODEL_UNAVAILABLE = "model_unavailable";

/** Failures that any other model call would meet too: no call to the same server can help. */
export const MODEL_SERVER_FAILURES: ReadonlySet<string> = new Set([
  MODEL_UNAVAILABLE,
  "model_key_missing",
  "model_key_refused",
  "model_not_found",
  "model_server_redirects",
  "model_server_sent_page",
]);

/** The piece of work whose model call failed. */
export const ModelWork = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("draft"), draft: DraftNumber }),
  z.object({
    kind: z.literal("step"),
    stepId: StepId,
    item: Item,
    attempt: Attempt,
    via: Via.optional(),
    pool: FromPool,
  }),
  z.object({
    kind: z.literal("review"),
    stepId: StepId,
    item: Item,
    attempt: Attempt,
    review: z.int().positive(),
  }),
  z.object({
    kind: z.literal("critique"),
    of: z.enum(["plan", "answer"]),
    draft: DraftNumber,
    review: z.int().positive(),
  }),
  z.object({ kind: z.literal("join"), join: z.int().positive() }),
]);
export type ModelWork = z.infer<typeof ModelWork>;

/** How far a piece of work has come in its limits for a server that does not answer. */
export const ModelTries = z.object({
  report: z.int().positive().meta({ description: "Numbers the reports of one piece of work, from 1." }),
  calls: z.int().nonnegative().meta({
    description:
      "Calls that failed in a row; those that met a server that was loading its model do not count.",
  }),
  callsMax: z.int().positive().meta({ description: "When the setting `MODEL_TRIES_MAX` ends it." }),
  since: z.iso
    .datetime()
    .meta({ description: "When the server last showed a sign of life, or was first called." }),
  message: z.string().max(2_000).meta({ description: "What went wrong, as a sentence without a full stop." }),
  loading: z.literal(true).optional().meta({ description: "The server says that it is loading the model." }),
  silent: z
    .literal(true)
    .optional()
    .meta({ description: "The call has not failed yet: nothing has come of its reply so far." }),
  retryAt: z.iso.datetime().meta({
    description: "When the next call is made; of a silent call, until when it is waited for at least.",
  }),
});
export type ModelTries = z.infer<typeof ModelTries>;

/** A model call failed, and the worker that made it will make it again; or nothing has come of its reply for long. */
export const ModelFailed = defineEvent("model.failed", { work: ModelWork, tries: ModelTries });
export type ModelFailed = z.infer<typeof ModelFailed>;
