import { commonConfig, integer, modelConfig } from "@planwright/shared/service";
import { z } from "zod";

export const ReflectorConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("REFLECTOR"),
  REFLECTOR_CONCURRENCY: integer({ min: 1, max: 1_000, unit: "plans" }).default(16).meta({
    description:
      "Maximum number of plans whose results this reflector reviews at the same time, and maximum number of outputs from which it extracts facts at the same time.",
  }),
});
export type ReflectorConfig = z.output<typeof ReflectorConfig>;
