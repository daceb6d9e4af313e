import { randomBytes } from "node:crypto";
import { ToolSpec } from "@planwright/plan";
import { natsAccess } from "@planwright/shared/access";
import { createArtifactStore } from "@planwright/shared/artifacts";
import { BUCKETS, connectBus, createPublish, openRegistry, requireStreams } from "@planwright/shared/bus";
import { createModelClient, serveModelCheck, tellCallsOver } from "@planwright/shared/model";
import { startAckRenewal } from "@planwright/shared/queue";
import { modelSettings, type RunningService, type ServiceDeps } from "@planwright/shared/service";
import { telemetryFromConfig } from "@planwright/shared/telemetry";
import { DataSource, openAgentRegistry } from "@planwright/shared/tools";
import type { PlannerConfig } from "./config.ts";
import { startDispatcher } from "./dispatch/start-dispatcher.ts";
import { startDrafting } from "./start-drafting.ts";
import type { RetentionSettings } from "./retention/create-archiver.ts";
import { startRetention } from "./retention/start-retention.ts";

/** Starts drafting and dispatching. Disposing it ends drafting first: its last facts are still dispatched. */
export async function startPlanner({
  config,
  log,
  redaction,
  signal,
}: ServiceDeps<PlannerConfig>): Promise<RunningService> {
  await using cleanup = new AsyncDisposableStack();
  const workerId = `planner-${process.pid}-${randomBytes(3).toString("hex")}`;
  const telemetry = cleanup.use(
    telemetryFromConfig(config, {
      service: "planner",
      resource: { "service.instance.id": workerId },
      redaction,
      log,
    }),
  );
  const bus = cleanup.use(await connectBus({ ...natsAccess(config), name: workerId, signal, log }));
  await requireStreams(bus, { signal, log });
  const publish = createPublish(bus);
  const concurrency = config.PLANNER_CONCURRENCY;
  const renewal = cleanup.use(await startAckRenewal({ ...natsAccess(config), count: concurrency, log }));
  const tools = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log }));
  const sources = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.sources, Schema: DataSource, log }));
  const agentRegistry = cleanup.use(await openAgentRegistry(bus, log));
  const agents = () => agentRegistry.current();
  const onCall = tellCallsOver(bus);
  const modelOptions = { ...modelSettings(config, "PLANNER"), role: "planner", telemetry, onCall, log };
  const model = createModelClient(modelOptions);
  cleanup.use(serveModelCheck(bus, modelOptions));
  const now = () => new Date();

  const dispatching = { bus, publish, telemetry, now, plannerId: workerId, log };
  const artifacts = createArtifactStore(bus);
  const dispatcher = cleanup.use(
    await startDispatcher({ ...dispatching, artifacts, tools: () => tools.entries(), agents }),
  );
  const format = config.PLANNER_FORMAT;
  const drafting = {
    bus,
    publish,
    renewal,
    model,
    format,
    telemetry,
    tools,
    agents,
    sources,
    workerId,
    concurrency,
    log,
  };
  cleanup.use(await startDrafting(drafting));

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
