import { natsAccess } from "@planwright/shared/access";
import { openWorker } from "@planwright/shared/jobs";
import { startAckRenewal } from "@planwright/shared/queue";
import {
  defineService,
  modelSettings,
  type RunningService,
  type ServiceDeps,
} from "@planwright/shared/service";
import { ReflectorConfig } from "./config.ts";
import { startReflector } from "./start-reflector.ts";

export { startReflector } from "./start-reflector.ts";

/** The reflector's service definition for its supervisor. */
export const reflectorService = defineService({ name: "reflector", Config: ReflectorConfig, start });

async function start(deps: ServiceDeps<ReflectorConfig>): Promise<RunningService> {
  const { config, log } = deps;
  await using cleanup = new AsyncDisposableStack();
  const settings = modelSettings(config, "REFLECTOR");
  const worker = await openWorker(cleanup, deps, { role: "reflector", settings });
  const concurrency = config.REFLECTOR_CONCURRENCY;
  const renewal = cleanup.use(await startAckRenewal({ ...natsAccess(config), count: 2 * concurrency, log }));
  cleanup.use(await startReflector({ ...worker, renewal, concurrency }));
  const owned = cleanup.move();
  return { finished: worker.bus.closed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
