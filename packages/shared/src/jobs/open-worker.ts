import { randomBytes } from "node:crypto";
import { natsAccess } from "../access/index.ts";
import { createArtifactStore } from "../artifacts/index.ts";
import { connectBus } from "../bus/connect-bus.ts";
import { createPublish } from "../bus/create-publish.ts";
import { requireStreams } from "../bus/streams/require-streams.ts";
import { serveModelCheck } from "../model/check-model.ts";
import { createModelClient } from "../model/create-model-client.ts";
import { tellCallsOver } from "../model/told-call.ts";
import type { CommonConfig, ModelSettings, ServiceDeps } from "../service/index.ts";
import { telemetryFromConfig } from "../telemetry/index.ts";

/**
 * Opens the common parts of a service with a model: connection, telemetry, artifacts, and the model, including answers to model
 * checks.
 *
 * @param cleanup - Receives everything that has to be disposed.
 */
export async function openWorker(
  cleanup: AsyncDisposableStack,
  { config, log, redaction, signal }: Omit<ServiceDeps<CommonConfig>, "env">,
  { role, settings }: { readonly role: string; readonly settings: ModelSettings },
) {
  const workerId = `${role}-${process.pid}-${randomBytes(3).toString("hex")}`;
  const resource = { "service.instance.id": workerId };
  const telemetry = cleanup.use(telemetryFromConfig(config, { service: role, resource, redaction, log }));
  const bus = cleanup.use(await connectBus({ ...natsAccess(config), name: workerId, signal, log }));
  await requireStreams(bus, { signal, log });
  const modelOptions = { ...settings, role, telemetry, onCall: tellCallsOver(bus), log };
  cleanup.use(serveModelCheck(bus, modelOptions));
  return {
    bus,
    publish: createPublish(bus),
    artifacts: createArtifactStore(bus),
    model: createModelClient(modelOptions),
    telemetry,
    workerId,
    now: () => new Date(),
    log,
  };
}
