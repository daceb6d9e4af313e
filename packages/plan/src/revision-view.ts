/** What is seen of a plan's revisions. */
import { z } from "zod";
import { RevisionCause } from "./events/revision-cause.ts";
import { StepId } from "./ids.ts";
import type { RevisionRecord } from "./state/drafting-state.ts";

export const RevisionView = z.object({
  /** Counts from 1. */
  revision: z.int(),
  draft: z.int(),
  cause: z.enum([...RevisionCause.exclude(["critique"]).options, "review"]),
  reason: z.string(),
  /** The step that gave cause for it. */
  causedBy: StepId.optional(),
  /** Steps with a result, and those that went on. */
  kept: z.array(StepId),
  /** Steps without a result; those in flight were cancelled. */
  dropped: z.array(StepId),
  added: z.array(StepId),
  at: z.string(),
});
export type RevisionView = z.infer<typeof RevisionView>;

export function revisionView({ kept, dropped, added, cause, ...about }: RevisionRecord): RevisionView {
  return {
    ...about,
    cause: cause === "critique" ? "review" : cause,
    kept: [...kept],
    dropped: [...dropped],
    added: [...added],
  };
}
