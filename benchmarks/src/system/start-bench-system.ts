/**
 * The whole system as `npm start` runs it: a bundled process for each service, over a real nats-server with file storage, in
 * its default configuration, with traces exported to the gateway's own receiver.
 */
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { findNatsServer, freePort, serviceEnvironment, startNatsServer } from "@planwright/launcher";
import { poolsOf } from "@planwright/executor/pools";
import { bundleServices } from "@planwright/launcher/bundle";
import { withLogin } from "@planwright/launcher/credentials";
import { authorizationOf, keepUsers, provisionServer, usersFolder } from "@planwright/shared/users";
import {
  SERVICE_NAMES,
  type ServiceName,
  type ServiceProcess,
  startServiceProcess,
} from "@planwright/testkit";
import type { ProcessToWatch } from "../measure/cpu-usage.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const HOST = "127.0.0.1";
const READY_WITHIN_MS = 60_000;
const READY_POLL_MS = 20;

export type BenchSystemOptions = {
  /** Number of executor processes; default 1. */
  readonly executors?: number;
  /** Added to every service's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** The script that replaces the executor's bundle, from the repository's root. */
  readonly executorEntry?: string;
  /**
   * The folder for each service's processor profile when it stops; absent: no profiles. Profiled services are not bundled, so
   * that the profile names their source files.
   */
  readonly profileDir?: string | undefined;
  /** Whether every acknowledgement of nats-server waits for the disk; default false, as for `npm start`. */
  readonly syncAlways?: boolean;
};

export type BenchSystem = AsyncDisposable & {
  /** The gateway's address. */
  readonly url: string;
  readonly natsUrl: string;
  readonly dataDir: string;
  /** The processes whose time counts: every service, nats-server, and this one (the client). */
  processes(): readonly ProcessToWatch[];
  /** Starts another process of a service. */
  start(name: ServiceName): Promise<void>;
  /** Ends the processes of a service immediately, as a crash would. */
  kill(name: ServiceName): Promise<void>;
  /** Ends the oldest process of a service: as a crash would, or by a signal. */
  endOldest(name: ServiceName, how: "kill" | "stop"): Promise<void>;
};

/** Starts everything and waits until it is ready. Disposing it stops every process and removes its data. */
export async function startBenchSystem(options: BenchSystemOptions = {}): Promise<BenchSystem> {
  await using cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "planwright-bench-"));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { bin } = await findNatsServer({ env: process.env, log: () => undefined });
  const folder = usersFolder(dataDir);
  const pools = await poolsOf({ ...options.env, PLANWRIGHT_DATA: dataDir });
  const password = randomBytes(12).toString("hex");
  const nats = cleanup.use(
    await startNatsServer({
      bin,
      storeDir: path.join(dataDir, "nats"),
      syncAlways: options.syncAlways,
      // As in `npm start`: every service with its own user.
      settings: authorizationOf(await keepUsers(folder, pools), [{ user: "bench", password }]),
      log: () => undefined,
    }),
  );
  const natsUrl = nats.url.replace("://", `://bench:${password}@`);
  await provisionServer({ url: natsUrl }, { pools });
  const running = new Map<ServiceName, ServiceProcess[]>(SERVICE_NAMES.map((name) => [name, []]));
  const all = (): ServiceProcess[] => [...running.values()].flat();
  // Stopped rather than killed: a process writes its profile when it ends.
  cleanup.defer(async () => void (await Promise.all(all().map((service) => service.stop()))));

  const port = await freePort(HOST);
  const url = `http://${HOST}:${port}`;
  const env = serviceEnvironment(
    { OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "none", ...options.env },
    { natsUrl: nats.url, dataDir, host: HOST, port, users: { folder, pools } },
  );
  const bundle = options.profileDir === undefined ? await bundleServices({ root: ROOT }) : undefined;
  const start = async (name: ServiceName): Promise<void> => {
    const profiled = await profiling(name, options.profileDir);
    const nodeOptions = `${env["NODE_OPTIONS"] ?? ""} ${profiled}`;
    const settings = { ...defined(withLogin(env, name)), NODE_OPTIONS: nodeOptions };
    const own = name === "executor" ? options.executorEntry : undefined;
    const bundled = bundle === undefined ? `services/${name}/src/main.ts` : path.join(bundle, `${name}.js`);
    const service = await startServiceProcess(name, settings, { entry: own ?? bundled });
    running.get(name)?.push(service);
  };
  const executors = Array.from({ length: (options.executors ?? 1) - 1 }, () => "executor" as const);
  await Promise.all([...SERVICE_NAMES, ...executors].map(start));
  await untilReady(url);

  const owned = cleanup.move();
  return {
    url,
    natsUrl,
    dataDir,
    start,
    processes: () => [
      ...all().map(({ name, process: { pid = 0 } }) => ({ name, pid })),
      { name: "nats-server", pid: nats.pid },
      { name: "client", pid: process.pid },
    ],
    async kill(name) {
      const killed = running.get(name)?.splice(0) ?? [];
      await Promise.all(killed.map((service) => service.kill()));
    },
    async endOldest(name, how) {
      await running.get(name)?.shift()?.[how]();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The options for Node. */
async function profiling(name: string, profileDir: string | undefined): Promise<string> {
  if (profileDir === undefined) return "";
  const folder = path.resolve(profileDir, name);
  await mkdir(folder, { recursive: true });
  return `--cpu-prof --cpu-prof-dir=${folder}`;
}

function defined(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Every service can be up before the gateway knows the executor's tools. */
async function untilReady(url: string): Promise<void> {
  const signal = AbortSignal.timeout(READY_WITHIN_MS);
  while (!(await fetch(`${url}/readyz`, { signal })).ok) await delay(READY_POLL_MS, undefined, { signal });
}
