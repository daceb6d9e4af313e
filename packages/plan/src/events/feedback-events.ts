/** How users rate a plan after it has ended. A rating changes neither the plan nor its `seq`. */
import { z } from "zod";
import { defineEvent, firstOnSubject } from "./define-event.ts";

/** Maximum number of ratings of one plan. */
export const FEEDBACK_MAX = 20;

export const Rating = z.int().min(1).max(5);

export const FeedbackGiven = defineEvent("feedback.given", {
  number: z
    .int()
    .min(1)
    .max(FEEDBACK_MAX)
    .meta({ description: "Number of this rating of the plan, from 1. The latest one counts." }),
  rating: Rating.meta({ description: "From 1 (useless) to 5 (exactly right)." }),
  comment: z.string().max(2_000).optional(),
  by: z.string().max(256),
}).named(({ number }, writer: string) => firstOnSubject(`feedback/${number}`, writer));
export type FeedbackGiven = z.infer<typeof FeedbackGiven>;
