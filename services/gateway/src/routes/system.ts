import { ToolSpec } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { GatewayConfig } from "../config.ts";
import { VERSION } from "@planwright/shared/service";
import { WorkerBeat, type WorkerRoll } from "../workers/worker-roll.ts";

/** What the model is called everywhere that stands in when none is configured. */
const OFFLINE = /\boffline\b/;

const System = z.object({
  version: z.string(),
  /** True when no language model is configured: replies come from rules. */
  offlineModel: z.boolean(),
  models: z.object({ planner: z.string(), executor: z.string(), reflector: z.string() }),
});

/** `GET /v1/tools`, `/v1/workers`, `/v1/system`: what there is to work with. */
export function systemRoutes(
  app: FastifyInstance,
  deps: {
    readonly tools: () => ReadonlyMap<string, ToolSpec>;
    readonly workers: WorkerRoll;
    readonly config: Pick<GatewayConfig, "PLANNER_MODEL" | "EXECUTOR_MODEL" | "REFLECTOR_MODEL">;
  },
): void {
  const tags = ["system"];
  const toolsSchema = {
    summary: "The tools that plans can use",
    tags,
    response: { 200: z.object({ tools: z.array(ToolSpec) }) },
  };
  app.get("/v1/tools", { schema: toolsSchema }, async () => ({
    tools: [...deps.tools().values()].toSorted((left, right) => left.name.localeCompare(right.name)),
  }));

  const workersSchema = {
    summary: "The workers that are running",
    tags,
    response: { 200: z.object({ workers: z.array(WorkerBeat) }) },
  };
  app.get("/v1/workers", { schema: workersSchema }, async () => ({ workers: deps.workers.present() }));

  const { PLANNER_MODEL: planner, EXECUTOR_MODEL: executor, REFLECTOR_MODEL: reflector } = deps.config;
  const models = { planner, executor, reflector };
  const system = {
    version: VERSION,
    offlineModel: Object.values(models).some((model) => OFFLINE.test(model)),
    models,
  };
  const systemSchema = { summary: "This system", tags, response: { 200: System } };
  app.get("/v1/system", { schema: systemSchema }, async () => system);
}
