import { ToolSpec } from "@planwright/plan";
import { natsAccess } from "@planwright/shared/access";
import { BUCKETS, connectBus, createPublish, openRegistry } from "@planwright/shared/bus";
import { openWorker } from "@planwright/shared/jobs";
import { startAckRenewal } from "@planwright/shared/queue";
import { type RunningService, type ServiceDeps, modelSettings } from "@planwright/shared/service";
import { DataSource, openAgentRegistry } from "@planwright/shared/tools";
import type { PlannerConfig } from "./config.ts";
import { startDispatcher } from "./dispatch/start-dispatcher.ts";
import { startDrafting } from "./handlers/start-drafting.ts";
import { type ArchiverDeps, type RetentionSettings, createArchiver } from "./retention/create-archiver.ts";
import { describeError } from "@planwright/shared/errors";
import { setTimeout as delay } from "node:timers/promises";

/** Starts drafting and dispatching. Disposing ends drafting first: its last events are still dispatched. */
export async function startPlanner(deps: ServiceDeps<PlannerConfig>): Promise<RunningService> {
  const { config, log, signal } = deps;
  await using cleanup = new AsyncDisposableStack();
  const settings = modelSettings(config, "PLANNER");
  const worker = await openWorker(cleanup, deps, { role: "planner", settings });
  const { bus, workerId, now } = worker;
  const concurrency = config.PLANNER_CONCURRENCY;
  const renewal = cleanup.use(await startAckRenewal({ ...natsAccess(config), count: concurrency, log }));
  const tools = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log }));
  const sources = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.sources, Schema: DataSource, log }));
  const agentRegistry = cleanup.use(await openAgentRegistry(bus, log));
  const agents = () => agentRegistry.current();
  const dispatching = { ...worker, plannerId: workerId, tools: () => tools.entries(), agents };
  const dispatcher = cleanup.use(await startDispatcher(dispatching));
  const format = config.PLANNER_FORMAT;
  cleanup.use(await startDrafting({ ...worker, renewal, format, tools, agents, sources, concurrency }));

  const retentionBus = cleanup.use(
    await connectBus({ ...natsAccess(config), name: `${workerId}-retention`, signal }),
  );
  const retention = {
    bus: retentionBus,
    publish: createPublish(retentionBus),
    settings: settingsOf(config),
    owns: (partition: number) => dispatcher.owns(partition),
    now,
    log,
  };
  cleanup.use(startRetention(retention));

  const finished = Promise.race([dispatcher.finished, bus.closed]);
  const owned = cleanup.move();
  return { finished, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function settingsOf(config: PlannerConfig): RetentionSettings {
  return {
    endedAfterMs: config.RETENTION_ENDED_AFTER,
    streamBytes: config.RETENTION_STREAM_BYTES,
    archivesAfterMs: config.RETENTION_ARCHIVES_AFTER,
  };
}

const ROUND_MS = 30_000;

/** Archives and deletes what is due, now and every half minute. If a round fails, the next one catches up. */
function startRetention(deps: ArchiverDeps): AsyncDisposable {
  const { log } = deps;
  const archiver = createArchiver(deps);
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    while (!signal.aborted) {
      try {
        await archiver.round(signal);
      } catch (error) {
        log.warn({ reason: describeError(error) }, "retention postponed");
      }
      await delay(ROUND_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}
