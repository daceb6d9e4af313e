import { commonConfig, integer, modelConfig, oneOf, retentionConfig } from "@planwright/shared/service";
import { z } from "zod";
import { DRAFT_FORMATS } from "./drafting/draft-request.ts";

export const PlannerConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("PLANNER"),
  ...retentionConfig,
  PLANNER_CONCURRENCY: integer({ min: 1, max: 1_000, unit: "drafts" })
    .default(8)
    .meta({ description: "How many drafts this planner writes at a time." }),
  PLANNER_FORMAT: oneOf(DRAFT_FORMATS).default("json").meta({
    description:
      "How the planner's model writes plans: `json` is held to a schema by the model's server; `lines` takes a third of the words, so that plans begin and end sooner.",
  }),
});
export type PlannerConfig = z.output<typeof PlannerConfig>;
