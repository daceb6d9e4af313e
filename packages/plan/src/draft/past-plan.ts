/** The information about finished plans that a planner sees when it drafts a similar one. */
import { z } from "zod";
import { Rating } from "../events/feedback-events.ts";
import { Outcome } from "../events/values.ts";
import { PlanId } from "../values/ids.ts";

/** Maximum number of past plans that are shown. */
export const PAST_PLANS_MAX = 3;
/** Maximum lengths of the texts shown, in characters; the rest is cut off. */
export const PAST_GOAL_CHARS = 300;
export const HOW_CHARS = 400;
export const NOTE_CHARS = 300;

const Count = z.int().nonnegative();

/** The lesson of a finished plan for similar ones. */
export const Lesson = z.object({
  /** A summary of its steps, in the order of planning: `s1 docs.search; s2 model.write after s1`. */
  how: z.string().max(HOW_CHARS),
  /** Why it ended badly, or had to be revised. */
  note: z.string().max(NOTE_CHARS).optional(),
});
export type Lesson = z.infer<typeof Lesson>;

export const PastPlan = z.object({
  planId: PlanId,
  goal: z.string().max(PAST_GOAL_CHARS),
  outcome: Outcome,
  ...Lesson.shape,
  replans: Count,
  /** How often a reviewer edited it before it ran. */
  edits: Count,
  /** From 1 (useless) to 5 (exactly right); absent when the plan has no rating. */
  rating: Rating.optional(),
});
export type PastPlan = z.infer<typeof PastPlan>;
