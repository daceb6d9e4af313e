import { randomBytes } from "node:crypto";
import { natsAccess } from "@planwright/shared/access";
import { createArtifactStore } from "@planwright/shared/artifacts";
import { connectBus, createPublish, requireStreams } from "@planwright/shared/bus";
import { createModelClient, serveModelCheck, tellCallsOver } from "@planwright/shared/model";
import { startAckRenewal } from "@planwright/shared/queue";
import { modelSettings, type RunningService, type ServiceDeps } from "@planwright/shared/service";
import { telemetryFromConfig } from "@planwright/shared/telemetry";
import type { ReflectorConfig } from "./config.ts";
import { startReflector } from "./start-reflector.ts";

/** Starts the reflector as its settings say. */
export async function runReflector({
  config,
  log,
  redaction,
  signal,
}: ServiceDeps<ReflectorConfig>): Promise<RunningService> {
  await using cleanup = new AsyncDisposableStack();
  const workerId = `reflector-${process.pid}-${randomBytes(3).toString("hex")}`;
  const telemetry = cleanup.use(
    telemetryFromConfig(config, {
      service: "reflector",
      resource: { "service.instance.id": workerId },
      redaction,
      log,
    }),
  );
  const bus = cleanup.use(await connectBus({ ...natsAccess(config), name: workerId, signal, log }));
  await requireStreams(bus, { signal, log });
  const concurrency = config.REFLECTOR_CONCURRENCY;
  const renewal = cleanup.use(await startAckRenewal({ ...natsAccess(config), count: 2 * concurrency, log }));
  const onCall = tellCallsOver(bus);
  const modelOptions = { ...modelSettings(config, "REFLECTOR"), role: "reflector", telemetry, onCall, log };
  const model = createModelClient(modelOptions);
  cleanup.use(serveModelCheck(bus, modelOptions));
  const [publish, artifacts, now] = [createPublish(bus), createArtifactStore(bus), () => new Date()];
  const deps = { bus, publish, renewal, artifacts, model, telemetry, workerId, concurrency, now, log };
  cleanup.use(await startReflector(deps));
  const owned = cleanup.move();
  return { finished: bus.closed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
