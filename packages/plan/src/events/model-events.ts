/** Unresponsive model servers: each failed call of a piece of work that retries, and how the failures are counted. */
import { z } from "zod";
import { StepId } from "../values/ids.ts";
import { defineEvent } from "./define-event.ts";
import { Attempt, DraftNumber, FromPool, Item, Unit } from "./values.ts";

/** The piece of work whose model call failed. */
export const ModelWork = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("draft"), draft: DraftNumber }),
  z.object({
    kind: z.literal("step"),
    stepId: StepId,
    item: Item,
    attempt: Attempt,
    unit: Unit,
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

/** How much of its limits for an unresponsive server a piece of work has used. */
export const ModelTries = z.object({
  report: z.int().positive().meta({ description: "Number of the report for one piece of work, from 1." }),
  calls: z.int().nonnegative().meta({
    description:
      "Number of consecutive failed calls. Calls to a server that was loading its model do not count.",
  }),
  callsMax: z
    .int()
    .positive()
    .meta({ description: "Number of failed calls after which the work fails (`MODEL_TRIES_MAX`)." }),
  since: z.iso.datetime().meta({ description: "When the server last responded, or was first called." }),
  message: z.string().max(2_000).meta({ description: "What went wrong, as a sentence without a full stop." }),
  loading: z
    .literal(true)
    .optional()
    .meta({ description: "The server reports that it is loading the model." }),
  silent: z
    .literal(true)
    .optional()
    .meta({ description: "The call has not failed yet, but has received nothing so far." }),
  retryAt: z.iso.datetime().meta({
    description:
      "When the next call is made. For a call that has received nothing: the earliest time at which it is abandoned.",
  }),
});
export type ModelTries = z.infer<typeof ModelTries>;

/** A model call failed and its worker will retry it, or the reply has been silent for long. */
export const ModelFailed = defineEvent("model.failed", { work: ModelWork, tries: ModelTries }).named(
  ({ work, tries }) => `model/${JSON.stringify(work)}/${tries.report}`,
);
export type ModelFailed = z.infer<typeof ModelFailed>;
