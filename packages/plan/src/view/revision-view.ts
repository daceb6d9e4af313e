/** The public view of a plan's revisions. */
import { z } from "zod";
import { RevisionCause } from "../events/draft-events.ts";
import { StepId } from "../values/ids.ts";
import type { RevisionRecord } from "../machine/drafting/drafting-state.ts";

export const RevisionView = z.object({
  revision: z.int().meta({ description: "Number of the revision, from 1." }),
  draft: z.int(),
  cause: z.enum([...RevisionCause.exclude(["critique"]).options, "review"]),
  reason: z.string(),
  causedBy: StepId.optional().meta({ description: "The step that caused the revision." }),
  kept: z.array(StepId).meta({ description: "Steps that have a result or continue to run." }),
  dropped: z.array(StepId).meta({ description: "Steps without a result. Running steps were cancelled." }),
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
