import { commonConfig, integer, modelConfig } from "@planwright/shared/service";
import { z } from "zod";

export const PlannerConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("PLANNER"),
  PLANNER_CONCURRENCY: integer({ min: 1, max: 1_000, unit: "drafts" })
    .default(8)
    .meta({ description: "How many drafts this planner writes at a time." }),
});
export type PlannerConfig = z.output<typeof PlannerConfig>;
