import {
  type AgentInfo,
  checkModels,
  getSystem,
  listQuotas,
  listTools,
  listWorkers,
  type System,
} from "@planwright/api";
import { type AgentType, poolOfType } from "@planwright/plan";
import type { Bus, DemandRoll } from "@planwright/shared/bus";
import { askForModelChecks } from "@planwright/shared/model";
import { VERSION } from "@planwright/shared/service";
import { tracesTo } from "@planwright/shared/telemetry";
import type { GatewayConfig } from "../config.ts";
import { type App, serve } from "../http/contract.ts";
import type { TenantAndKeyQuotas } from "../quotas/create-quotas.ts";
import type { Offer } from "../submit/check-submission.ts";
import { isDemoModel } from "../submit/refuse-code.ts";
import { poolQueuesOf } from "../workers/pool-queues.ts";
import type { Queue } from "../workers/read-queues.ts";
import type { WorkerRoll } from "../workers/worker-roll.ts";

function tracesOf(config: GatewayConfig): System["traces"] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, TRACE_URL: url } = config;
  const to = tracesTo(config);
  return {
    to,
    ...(endpoint === undefined || to === "embedded" ? {} : { endpoint: new URL(endpoint).host }),
    ...(url === undefined ? {} : { url }),
  };
}

function agentView(name: string, { system: _system, ...type }: AgentType): AgentInfo {
  return { ...type, name, pool: poolOfType(name, type) };
}

function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return left.name.localeCompare(right.name);
}

/** `GET /v1/tools`, `/v1/workers`, `/v1/quotas`, `/v1/system`: the parts of the system. */
export function systemRoutes(
  app: App,
  deps: {
    readonly offer: () => Pick<Offer, "tools" | "agents">;
    readonly agentsDigest: () => string | undefined;
    readonly workers: WorkerRoll;
    readonly demand: Pick<DemandRoll, "present">;
    readonly quotas: Pick<TenantAndKeyQuotas, "statesOf">;
    readonly queues: () => Promise<readonly Queue[]>;
    readonly config: GatewayConfig;
  },
): void {
  serve(app, listTools, async () => {
    const { tools, agents } = deps.offer();
    const digest = deps.agentsDigest();
    return {
      tools: [...tools.values()].toSorted(byName),
      agents: Array.from(agents.types, ([name, type]) => agentView(name, type)).toSorted(byName),
      ...(digest === undefined ? {} : { agentsDigest: digest }),
    };
  });
  serve(app, listWorkers, async () => ({
    workers: deps.workers.present(),
    pools: poolQueuesOf(await deps.queues(), deps.demand.present()),
  }));

  serve(app, listQuotas, async (caller) => ({
    quotas: deps.quotas.statesOf(caller).map(({ resetsAt, ...state }) => ({
      ...state,
      ...(resetsAt === undefined ? {} : { resetsAt: resetsAt.toISOString() }),
    })),
  }));

  const { PLANNER_MODEL: planner, EXECUTOR_MODEL: executor, REFLECTOR_MODEL: reflector } = deps.config;
  const models = { planner, executor, reflector };
  const system = {
    version: VERSION,
    demoModel: Object.values(models).some(isDemoModel),
    models,
    traces: tracesOf(deps.config),
  };
  serve(app, getSystem, async () => system);
}

/** `POST /v1/models/check`: the service that holds the models' keys sends one small request to the models of each role. */
export function modelRoutes(app: App, { bus }: { readonly bus: Pick<Bus, "connection"> }): void {
  serve(app, checkModels, async () => ({ checks: await askForModelChecks(bus) }));
}
