/** The whole system as its users run it: four services as processes of their own over a real nats-server. */
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { poolsOf } from "@planwright/executor/pools";
import { PlanId } from "@planwright/plan";
import { type Replicas, STREAMS } from "@planwright/shared/bus";
import { z } from "zod";
import type { NatsCluster } from "../nats/start-nats-cluster.ts";
import { startNats, type TestNats, type TestNatsOptions } from "../nats/start-nats.ts";
import { noteStart, runFolder } from "../run/test-run.ts";
import { createClient, type SystemClient } from "./client.ts";
import { runningSystems } from "./plans-report.ts";
import { SERVICE_NAMES, type ServiceName } from "./service-names.ts";
import { canHost, startHostedService } from "./hosted-service.ts";
import { type ServiceProcess, startServiceProcess } from "./start-service-process.ts";
import { forgetAnnouncements, forgetUploads, gatewaySources, provisionAll, purge } from "./system-store.ts";

const READY_WITHIN_MS = 60_000;
const READY_POLL_MS = 20;
const ENDED: ReadonlySet<string> = new Set(["succeeded", "partial", "failed", "cancelled"]);
/** Of each service, in the error of a system that did not start. */
const LOG_CHARS_MAX = 4_000;

/** A hosted executor has nothing left to finish when it is stopped. */
const HOSTED = { EXECUTOR_DRAIN_MS: "0" };

/** What services are given besides what all of them are given. */
export type ServiceEnvironments = Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>;

export type SystemOptions = {
  /** The base URL of the model's server; without it nothing answers there. */
  readonly modelUrl?: string;
  /** Executor processes; default 1. */
  readonly executors?: number;
  /** Added to every service's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Added to the environment of one service, until {@link TestSystem.restore}. */
  readonly services?: ServiceEnvironments;
  /**
   * Services that run as processes of their own, so that they can be killed, until {@link TestSystem.restore}; the others share one,
   * which takes a fraction of the time. Default: all of them.
   */
  readonly alone?: readonly ServiceName[];
  readonly nats?: TestNatsOptions;
  /** A cluster that runs already, in place of a server of the system's own; it is left running. */
  readonly cluster?: NatsCluster;
  /** As `NATS_REPLICAS`. */
  readonly replicas?: Replicas;
  /** Called before anything is stored: with the empty data folder, and the empty nats-server. */
  readonly prepare?: (place: { readonly data: string; readonly nats: TestNats }) => Promise<void>;
};

export type RestoreOptions = Pick<SystemOptions, "services" | "alone">;

export type TestSystem = AsyncDisposable & {
  /** Where the gateway listens. */
  readonly url: string;
  /** The folder of its data. */
  readonly data: string;
  readonly nats: TestNats;
  /** Calls the gateway. */
  readonly client: SystemClient;
  /** The running processes of one service. */
  processes(name: ServiceName): readonly ServiceProcess[];
  /** Starts one more process of a service; `env` is added to its environment. */
  start(name: ServiceName, env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Replaces the processes of a service by one whose environment has this besides, as has each one started until {@link restore}. */
  reconfigure(name: ServiceName, env: Readonly<Record<string, string>>): Promise<void>;
  /** Kills the processes of a service at once, as a crash would. Rejects when it is not {@link SystemOptions.alone}. */
  kill(name: ServiceName): Promise<void>;
  /** Ends a service, to start it otherwise: it is at rest. */
  end(name: ServiceName): Promise<void>;
  /** Asks every service to stop, one after the other in no order, and waits for all of them. */
  stopServices(): Promise<void>;
  /** Starts all four services again, the gateway where it was, and waits until they are ready. */
  startServices(): Promise<void>;
  /**
   * Makes it ready for another test file: replaces processes that ended or were started with another environment, forgets what
   * such executors have announced and the data that tests have uploaded, cancels the plans that have not ended, and empties the log and the dead letters. The gateway still
   * lists the plans.
   *
   * @param options.services - What its services are given from now on besides what all of them are given.
   * @param options.alone - Those that run as processes of their own from now on; default as the system was started.
   * @throws {Error} When a plan does not end.
   */
  restore(options?: RestoreOptions): Promise<void>;
  /** Cancels the plans that have not ended, and empties the log and the dead letters. @throws {Error} When a plan does not end. */
  clear(): Promise<void>;
};

/** Starts everything and waits until it is ready. Disposing it ends every process and removes its data. */
export async function startSystem(options: SystemOptions = {}): Promise<TestSystem> {
  noteStart("whole system");
  await using cleanup = new AsyncDisposableStack();
  const data = await mkdtemp(path.join(runFolder(), "planwright-"));
  cleanup.defer(() => rm(data, { recursive: true, force: true }));
  const nats = options.cluster ?? cleanup.use(await startNats({ ...options.nats, locked: true }));
  await options.prepare?.({ data, nats });
  await provisionAll(nats.access, options.replicas);
  const services = cleanup.use(createServices({ ...options, nats, data }));
  await services.startAll(SERVICE_NAMES);
  const ownSources = new Set(await gatewaySources(nats.access));
  const url = services.gatewayUrl();
  const client = createClient(url);
  const owned = cleanup.move();
  const system: TestSystem = {
    url,
    data,
    nats,
    client,
    processes: services.processes,
    start: services.start,
    startServices: () => services.startAll(SERVICE_NAMES),
    kill: services.kill,
    end: services.end,
    async reconfigure(name, env) {
      services.add(name, env);
      await services.end(name);
      await services.start(name);
    },
    async stopServices() {
      await Promise.all(SERVICE_NAMES.flatMap(services.take).map((process) => process.stop()));
    },
    async restore(wanted = {}) {
      await services.restore(wanted);
      await forgetUploads(nats.access, ownSources);
      await system.clear();
    },
    async clear() {
      await endPlans(client);
      await purge(nats.access, [STREAMS.plans, STREAMS.dead]);
    },
    [Symbol.asyncDispose]: () => {
      runningSystems.delete(system);
      return owned.disposeAsync();
    },
  };
  runningSystems.add(system);
  return system;
}

type Given = { readonly besides: string; readonly isHosted: boolean };

/** One that is alone although it need not be fits, too: it costs nothing more. */
function isStartedAs(
  given: Given | undefined,
  wanted: { readonly besides: string; readonly isAlone: boolean },
): boolean {
  return given?.besides === wanted.besides && !(given.isHosted && wanted.isAlone);
}

/** The processes of a system, by service. */
function createServices({
  nats,
  data,
  ...options
}: Omit<SystemOptions, "nats"> & { readonly nats: TestNats; readonly data: string }) {
  const running = new Map<ServiceName, ServiceProcess[]>(SERVICE_NAMES.map((name) => [name, []]));
  /** How each was started, and what it was given besides what all services are given. */
  const given = new WeakMap<ServiceProcess, Given>();
  let added: ServiceEnvironments = options.services ?? {};
  let alone: readonly ServiceName[] = options.alone ?? SERVICE_NAMES;
  let gatewayPort = options.env?.["PORT"] ?? "0";

  const processes = (name: ServiceName): readonly ServiceProcess[] => running.get(name) ?? [];
  const take = (name: ServiceName): ServiceProcess[] => running.get(name)?.splice(0) ?? [];
  const kill = async (name: ServiceName): Promise<void> => {
    await Promise.all(take(name).map((process) => process.kill()));
  };
  /** As fast as it goes: those that share a process have to end in order. */
  const end = async (name: ServiceName): Promise<void> => {
    await Promise.all(take(name).map((process) => process[Symbol.asyncDispose]()));
  };
  const start: TestSystem["start"] = async (name, env = {}) => {
    const besides = { ...added[name], ...env };
    const environment = { PLANWRIGHT_DATA: data, PORT: gatewayPort, ...environmentOf(options), ...besides };
    const pools = name === "executor" ? await poolsOf(environment).catch(() => ["default"]) : [];
    const settings = { ...(await nats.settingsFor(name, pools)), ...environment };
    const isHosted = canHost(settings) && !alone.includes(name);
    const process = isHosted
      ? await startHostedService(name, { ...HOSTED, ...settings })
      : await startServiceProcess(name, settings);
    running.get(name)?.push(process);
    given.set(process, { besides: JSON.stringify(besides), isHosted });
    // A second gateway listens elsewhere.
    if (process.url !== undefined && gatewayPort === "0") gatewayPort = new URL(process.url).port;
    return process;
  };
  const gatewayUrl = (): string => `http://127.0.0.1:${gatewayPort}`;
  const startAll = async (names: readonly ServiceName[]): Promise<void> => {
    const counted = names.flatMap((name) => Array.from({ length: countOf(name, options) }, () => name));
    const started = await Promise.all(counted.map((name) => start(name)));
    await untilReady(gatewayUrl(), started);
  };
  const isAsWanted = (name: ServiceName): boolean => {
    const now = processes(name);
    const wanted = { besides: JSON.stringify(added[name] ?? {}), isAlone: alone.includes(name) };
    const isFitting = now.every((one) => one.isRunning() && isStartedAs(given.get(one), wanted));
    return isFitting && now.length === countOf(name, options);
  };
  return {
    processes,
    take,
    kill,
    end,
    start,
    startAll,
    gatewayUrl,
    add(name: ServiceName, env: Readonly<Record<string, string>>): void {
      added = { ...added, [name]: env };
    },
    async restore(wanted: RestoreOptions) {
      added = wanted.services ?? {};
      alone = wanted.alone ?? options.alone ?? SERVICE_NAMES;
      const changed = SERVICE_NAMES.filter((name) => !isAsWanted(name));
      await Promise.all(changed.map(end));
      if (changed.includes("executor")) await forgetAnnouncements(nats.access);
      await startAll(changed);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.values()].flat().map((process) => process[Symbol.asyncDispose]()));
    },
  };
}

function environmentOf({ modelUrl = "http://127.0.0.1:9/v1", env = {} }: SystemOptions) {
  return {
    HOST: "127.0.0.1",
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: "test",
    PLANNER_MODEL: "test-planner",
    EXECUTOR_MODEL: "test-executor",
    REFLECTOR_MODEL: "test-reflector",
    LOG_LEVEL: "info",
    STRICT_RESPONSES: "true",
    ...env,
  };
}

function countOf(name: ServiceName, { executors = 1 }: SystemOptions): number {
  return name === "executor" ? executors : 1;
}

const Page = z.object({
  plans: z.array(z.object({ planId: PlanId, status: z.string() })),
  nextCursor: z.string().optional(),
});

/** Cancels every plan that has not ended, and waits for their ends. */
async function endPlans(client: SystemClient): Promise<void> {
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: "200", ...(cursor === undefined ? {} : { cursor }) });
    const response = await client.fetch(`/v1/plans?${query.toString()}`);
    const page = Page.parse(await response.json());
    cursor = page.nextCursor;
    const open = page.plans.filter(({ status }) => !ENDED.has(status));
    await Promise.all(
      open.map(async ({ planId }) => {
        const cancelled = await client.fetch(`/v1/plans/${planId}/cancel`, { method: "POST" });
        await cancelled.arrayBuffer();
        // It came after an earlier file's plans were listed, as one that undoes a late effect does, and its log went with theirs.
        if (cancelled.status === 404) return;
        await client.ended(planId);
      }),
    );
  } while (cursor !== undefined);
}

/**
 * Every service may be up before the gateway has heard of the executor's tools.
 *
 * @throws {Error} When a service ends, or the time is over; with what the services wrote last.
 */
async function untilReady(url: string, started: readonly ServiceProcess[]): Promise<void> {
  const timeout = AbortSignal.timeout(READY_WITHIN_MS);
  const over = new AbortController();
  const signal = AbortSignal.any([timeout, over.signal]);
  for (const { name, ended } of started) {
    void ended.then((end) => over.abort(new Error(`${name} ended with ${end}`)));
  }
  let answer = "nothing";
  try {
    for (;;) {
      const response = await fetch(`${url}/readyz`, { signal });
      answer = `${response.status} ${await response.text()}`;
      if (response.ok) return;
      await delay(READY_POLL_MS, undefined, { signal });
    }
  } catch (cause) {
    const logs = started.map((one) => `${one.name} wrote:\n${one.output().slice(-LOG_CHARS_MAX)}`);
    const said = `the system is not ready; /readyz answered at last: ${answer}`;
    throw new Error([said, ...logs].join("\n"), { cause: signal.reason ?? cause });
  }
}
