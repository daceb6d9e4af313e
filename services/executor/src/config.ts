import { commonConfig, integer, list, modelConfig, text } from "@planwright/shared/service";
import { PoolName } from "@planwright/plan";
import { z } from "zod";

export const ExecutorConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("EXECUTOR"),
  EXECUTOR_POOLS: list()
    .pipe(z.array(PoolName).min(1))
    .default(["default"])
    .meta({ description: "The pools whose steps this executor runs, separated by commas." }),
  EXECUTOR_CONCURRENCY: integer({ min: 1, max: 1_000, unit: "steps" })
    .default(64)
    .meta({ description: "How many steps of one pool this executor runs at a time." }),
  PLANWRIGHT_DOCS: text({ wanted: "a folder" })
    .default("examples/docs")
    .meta({ description: "Folder of Markdown and text files that docs.search looks through." }),
  HTTP_FETCH_ALLOW: list().default([]).meta({
    description: "Hosts and ports (`host:port`) that http.fetch may reach although their address is private.",
  }),
});
export type ExecutorConfig = z.output<typeof ExecutorConfig>;
