import { commonConfig, integer, modelConfig } from "@planwright/shared/service";
import { z } from "zod";

export const ReflectorConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("REFLECTOR"),
  REFLECTOR_CONCURRENCY: integer({ min: 1, max: 1_000, unit: "plans" }).default(16).meta({
    description:
      "The results of how many plans this reflector judges at a time, and how many outputs it looks at for facts.",
  }),
});
export type ReflectorConfig = z.output<typeof ReflectorConfig>;
