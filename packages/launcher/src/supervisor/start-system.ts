/**
 * The parts of the system, brought up in order.
 *
 * Invariants:
 *   S1. Stopping goes against the order of starting: services drain first, nats-server ends last.
 *   S2. Nothing outlives the supervisor, except a nats-server when the supervisor is killed: that one is
 *       found by its files in the data folder and stopped by the next start.
 *   S3. What is stored lives in the data folder alone, so that the next start resumes unfinished plans.
 */
import path from "node:path";
import type { Output } from "./console-output.ts";
import { keepNatsRunning } from "./keep-nats-running.ts";
import { lockDataFolder } from "./lock-data-folder.ts";
import { freePort, requireFreePort } from "./ports.ts";
import { namesModel, type OfflineModel, reachableHost, serviceEnvironment } from "./service-environment.ts";
import type { StartOptions } from "./start-options.ts";

/** Services that run, in whatever processes. Disposing them lets them finish what they hold. */
export type RunningServices = AsyncDisposable & {
  /** Settles with the gateway's URL when all are ready; rejects when one cannot start. */
  readonly ready: Promise<string | undefined>;
  /** Rejects when one ended for good; never resolves. */
  readonly failed: Promise<never>;
  kill(): void;
};

export type SystemDeps = {
  readonly env: NodeJS.ProcessEnv;
  readonly output: Output;
  readonly startOfflineModel: () => Promise<OfflineModel & AsyncDisposable>;
  readonly runServices: (env: NodeJS.ProcessEnv) => RunningServices | Promise<RunningServices>;
};

export type System = AsyncDisposable & {
  /** Settles with the address of the dashboard when everything is ready. */
  readonly ready: Promise<string>;
  /** Rejects when a part of it ended for good; never resolves. */
  readonly failed: Promise<never>;
  readonly natsUrl: string;
  /** Whether the offline model stands in for a real one. */
  readonly offline: boolean;
  /** Ends everything at once. */
  kill(): void;
};

/**
 * Starts nats-server, unless `NATS_URL` names one, the offline model, unless the environment names a real
 * one, and the services.
 *
 * @throws {Error} When the port or the data folder is taken, or nats-server cannot be had; what was started
 *   is stopped by then.
 */
export async function startSystem(
  options: StartOptions,
  { env, output, startOfflineModel, runServices }: SystemDeps,
  signal: AbortSignal,
): Promise<System> {
  const { dataDir, host, syncAlways } = options;
  await using cleanup = new AsyncDisposableStack();
  // First, because a system that already runs on this folder also has the port.
  const lock = cleanup.use(await lockDataFolder(dataDir));
  const port = await choosePort(options);

  const storeDir = path.join(dataDir, "nats");
  const nats = env["NATS_URL"]
    ? undefined
    : await keepNatsRunning({ env, storeDir, syncAlways, output, signal });
  if (nats !== undefined) cleanup.use(nats);
  const model = namesModel(env) ? undefined : cleanup.use(await startOfflineModel());

  const natsUrl = nats?.url ?? env["NATS_URL"] ?? "";
  const settings = { natsUrl, dataDir, host, port, offlineModel: model };
  const services = cleanup.use(await runServices(serviceEnvironment(env, settings)));

  const owned = cleanup.move();
  return {
    natsUrl,
    offline: model !== undefined,
    ready: services.ready.then((url) => {
      const page = `${url ?? `http://${reachableHost(host)}:${port}`}/`;
      lock.answersAt(page);
      return page;
    }),
    failed: nats === undefined ? services.failed : Promise.race([services.failed, nats.failed]),
    kill() {
      nats?.kill();
      services.kill();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function choosePort({ host, port }: StartOptions): Promise<number> {
  if (port === 0) return freePort(host);
  await requireFreePort({ host, port });
  return port;
}
