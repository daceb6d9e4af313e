/**
 * Starts the components of the system in order.
 *
 * Invariants:
 *   SYSTEM-1. Components stop in reverse order: services drain first, nats-server stops last.
 *   SYSTEM-2. Nothing outlives the supervisor, except nats-server when the supervisor is killed: the next start finds it by its
 *       files in the data folder and stops it.
 *   SYSTEM-3. All stored data is in the data folder, so that the next start resumes unfinished plans.
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { natsAccess, natsConfig, replicasConfig } from "@planwright/shared/access";
import { describeError } from "@planwright/shared/errors";
import { readConfig } from "@planwright/shared/service";
import { z } from "zod";
import {
  accessAs,
  authorizationOf,
  keepUsers,
  provisionServer,
  readUsers,
  URL_FILE,
  usersFolder,
} from "@planwright/shared/users";
import type { Output } from "./console-output.ts";
import { type KeptNats, keepNatsRunning } from "./keep-nats-running.ts";
import { lockDataFolder } from "./lock-data-folder.ts";
import { freePort, requireFreePort } from "./ports.ts";
import { namesModel, type OfflineModel, reachableHost, serviceEnvironment } from "./service-environment.ts";
import type { StartOptions } from "./start-options.ts";

/** Running services, in one or several processes. Disposing them lets running work finish. */
export type RunningServices = AsyncDisposable & {
  /** Resolves with the gateway's URL when all are ready; rejects when one cannot start. */
  readonly ready: Promise<string | undefined>;
  /** Rejects when a service ended for good; never resolves. */
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
  /** Resolves with the dashboard's address when everything is ready. */
  readonly ready: Promise<string>;
  /** Rejects when a component ended for good; never resolves. */
  readonly failed: Promise<never>;
  readonly natsUrl: string;
  /** Whether the built-in demo model is used. */
  readonly offline: boolean;
  /** Kills everything immediately. */
  kill(): void;
};

/**
 * Starts nats-server, unless `NATS_URL` is set; the demo model, unless the environment sets a real one; and the services.
 *
 * @throws {Error} When the port or the data folder is in use, or nats-server is not available; components that were started
 *   are stopped by then.
 */
export async function startSystem(
  options: StartOptions,
  { env, output, startOfflineModel, runServices }: SystemDeps,
  signal: AbortSignal,
): Promise<System> {
  const { dataDir, host, syncAlways } = options;
  await using cleanup = new AsyncDisposableStack();
  // First, because a system that is already running on this folder also uses the port.
  const lock = cleanup.use(await lockDataFolder(dataDir));
  const port = await choosePort(options);

  const pools = await servedPools({ ...env, PLANWRIGHT_DATA: dataDir });
  const folder = usersFolder(dataDir);
  const nats = env["NATS_URL"]
    ? undefined
    : await startOwnNats(
        { folder, pools },
        { env, storeDir: path.join(dataDir, "nats"), syncAlways, output, signal },
      );
  if (nats === undefined) void provisionForeign(env, { pools, output, signal });
  else cleanup.use(nats);
  const model = namesModel(env) ? undefined : cleanup.use(await startOfflineModel());

  const natsUrl = nats?.url ?? env["NATS_URL"] ?? "";
  const users = nats === undefined ? undefined : { folder, pools };
  const settings = { natsUrl, dataDir, host, port, offlineModel: model, users };
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

/** Starts the system's own nats-server, creates a user for each service (there are no others) and the streams. */
async function startOwnNats(
  { folder, pools }: { readonly folder: string; readonly pools: readonly string[] },
  options: Omit<Parameters<typeof keepNatsRunning>[0], "settings">,
): Promise<KeptNats> {
  const users = await keepUsers(folder, pools);
  const settings = async () => authorizationOf(await readUsers(folder));
  const nats = await keepNatsRunning({ ...options, settings });
  try {
    const { NATS_REPLICAS: replicas } = readConfig(z.object(replicasConfig), options.env);
    const { signal } = options;
    await provisionServer(accessAs(users, "admin", nats.url), { pools, replicas, signal });
    await writeFile(path.join(folder, URL_FILE), `${nats.url}\n`, { mode: 0o600 });
    return nats;
  } catch (error) {
    await nats[Symbol.asyncDispose]();
    throw error;
  }
}

/** Invalid settings are reported by the executor. */
async function servedPools(env: NodeJS.ProcessEnv): Promise<string[]> {
  const { poolsOf } = await import("@planwright/executor/pools");
  return poolsOf(env).catch(() => ["default"]);
}

/** Creates missing streams and queues on an external server, if the login permits it. Never throws. */
async function provisionForeign(
  env: NodeJS.ProcessEnv,
  { pools, output, signal }: { pools: readonly string[]; output: Output; signal: AbortSignal },
): Promise<void> {
  try {
    const config = readConfig(z.object({ ...natsConfig, ...replicasConfig }), env);
    const replicas = config.NATS_REPLICAS;
    const { isOpen } = await provisionServer(natsAccess(config), { pools, replicas, signal });
    if (!isOpen) return;
    output.say(
      "the nats-server at NATS_URL requires no login: any program that can reach it can read all plans, decide approvals and report results (see docs/security.md)",
      { severity: "warn" },
    );
  } catch (error) {
    if (signal.aborted) return;
    output.say(`could not create the streams with the login of NATS_URL: ${describeError(error)}`, {
      severity: "warn",
    });
  }
}

async function choosePort({ host, port }: StartOptions): Promise<number> {
  if (port === 0) return freePort(host);
  await requireFreePort({ host, port });
  return port;
}
