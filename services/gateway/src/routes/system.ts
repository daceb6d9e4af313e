import { AgentType, PoolName, poolOfType, ToolSpec } from "@planwright/plan";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { GatewayConfig } from "../config.ts";
import { VERSION } from "@planwright/shared/service";
import { TRACES_TO, tracesTo } from "@planwright/shared/telemetry";
import type { Offer } from "../submit/check-submission.ts";
import { isDemoModel } from "../submit/refuse-code.ts";
import { PoolQueue, poolQueuesOf } from "../workers/pool-queues.ts";
import type { Queue } from "../workers/read-queues.ts";
import { WorkerBeat, type WorkerRoll } from "../workers/worker-roll.ts";

const System = z.object({
  version: z.string(),
  /** True when no language model is configured: replies come from rules. */
  offlineModel: z.boolean(),
  models: z.object({ planner: z.string(), executor: z.string(), reflector: z.string() }),
  traces: z.object({
    to: z
      .enum(TRACES_TO)
      .meta({ description: "Whether this gateway is sent them, another receiver is, or both." }),
    endpoint: z.string().optional().meta({ description: "The host of the other receiver." }),
    url: z
      .string()
      .optional()
      .meta({ description: "Where another viewer shows a trace, with `{traceId}` in it." }),
  }),
});

function tracesOf(config: GatewayConfig): z.output<typeof System>["traces"] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_URL: url } = config;
  const to = tracesTo(config);
  return {
    to,
    ...(endpoint === undefined || to === "embedded" ? {} : { endpoint: new URL(endpoint).host }),
    ...(url === undefined ? {} : { url }),
  };
}

/** Its words to a model are its operator's: they are not shown. */
const AgentView = AgentType.omit({ system: true }).extend({ name: z.string(), pool: PoolName });

const Tools = z.object({
  tools: z.array(ToolSpec),
  agents: z.array(AgentView),
  agentsDigest: z.string().optional().meta({
    description:
      "Of the file that the agent types are from; a worker that shows another one was started with another file.",
  }),
});

function agentView(name: string, { system: _system, ...type }: AgentType): z.output<typeof AgentView> {
  return { ...type, name, pool: poolOfType(name, type) };
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name.localeCompare(right.name);
}

const Workers = z.object({
  workers: z.array(WorkerBeat),
  pools: z.array(PoolQueue).meta({
    description: "The queues of all pools that ever had a worker, those without one included.",
  }),
});

/** `GET /v1/tools`, `/v1/workers`, `/v1/system`: what there is to work with. */
export function systemRoutes(
  app: FastifyInstance,
  deps: {
    readonly offer: () => Pick<Offer, "tools" | "agents">;
    readonly agentsDigest: () => string | undefined;
    readonly workers: WorkerRoll;
    readonly queues: () => Promise<readonly Queue[]>;
    readonly config: GatewayConfig;
  },
): void {
  const tags = ["system"];
  const toolsSchema = {
    summary: "The tools that plans can use, and the agent types that steps can name",
    tags,
    response: { 200: Tools },
  };
  app.get("/v1/tools", { schema: toolsSchema }, async () => {
    const { tools, agents } = deps.offer();
    const digest = deps.agentsDigest();
    return {
      tools: [...tools.values()].toSorted(byName),
      agents: Array.from(agents.types, ([name, type]) => agentView(name, type)).toSorted(byName),
      ...(digest === undefined ? {} : { agentsDigest: digest }),
    };
  });

  const workersSchema = {
    summary: "The workers that are running",
    tags,
    response: { 200: Workers },
  };
  app.get("/v1/workers", { schema: workersSchema }, async () => ({
    workers: deps.workers.present(),
    pools: poolQueuesOf(await deps.queues()),
  }));

  const { PLANNER_MODEL: planner, EXECUTOR_MODEL: executor, REFLECTOR_MODEL: reflector } = deps.config;
  const models = { planner, executor, reflector };
  const system = {
    version: VERSION,
    offlineModel: Object.values(models).some(isDemoModel),
    models,
    traces: tracesOf(deps.config),
  };
  const systemSchema = { summary: "This system", tags, response: { 200: System } };
  app.get("/v1/system", { schema: systemSchema }, async () => system);
}
