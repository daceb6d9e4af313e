import { commonConfig, integer, modelConfig, oneOf, retentionConfig } from "@planwright/shared/service";
import { z } from "zod";
import { DRAFT_FORMATS } from "./drafting/draft-request.ts";

export const PlannerConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("PLANNER"),
  ...retentionConfig,
  PLANNER_CONCURRENCY: integer({ min: 1, max: 1_000, unit: "drafts" })
    .default(8)
    .meta({ description: "Maximum number of drafts that a planner writes at the same time." }),
  PLANNER_FORMAT: oneOf(DRAFT_FORMATS).default("json").meta({
    description:
      "Format in which the planner's model writes plans. With `json`, the model server enforces a schema. `lines` needs a third of the text, so plans start and finish sooner.",
  }),
});
export type PlannerConfig = z.output<typeof PlannerConfig>;
