/** The processes of the four services of a system, some of which share one. */
import { setTimeout as delay } from "node:timers/promises";
import { poolsOf } from "@planwright/executor/pools";
import type { TestNats } from "../nats/start-nats.ts";
import { canHost, startHostedService } from "./hosted-service.ts";
import { SERVICE_NAMES, type ServiceName } from "./service-names.ts";
import { type ServiceProcess, startServiceProcess } from "./start-service-process.ts";
import { forgetAnnouncements } from "./system-store.ts";

const READY_WITHIN_MS = 60_000;
const READY_POLL_MS = 20;
/** Of each service's log, in the error of a system that did not start. */
const LOG_CHARS_MAX = 4_000;
const ENDED = "the system has ended";

/** A hosted executor has no work left to finish when it is stopped. */
const HOSTED = { EXECUTOR_DRAIN_MS: "0" };

type Environment = Readonly<Record<string, string>>;

/** The additional environment of single services. */
export type ServiceEnvironments = Readonly<Partial<Record<ServiceName, Environment>>>;

export type ServicesOptions = {
  /** The base URL of the model's server; without it no model answers. */
  readonly modelUrl?: string;
  /** Executor processes; default 1. */
  readonly executors?: number;
  /** Added to every service's environment. */
  readonly env?: Environment;
  /** Added to the environment of one service, until the system is restored. */
  readonly services?: ServiceEnvironments;
  /**
   * Services that run as separate processes, so that they can be killed, until the system is restored; the others share one,
   * which takes a fraction of the time. Default: all of them.
   */
  readonly alone?: readonly ServiceName[];
};

export type RestoreOptions = Pick<ServicesOptions, "services" | "alone">;

type Given = { readonly besides: string; readonly isHosted: boolean };

/** A service that is alone without need also fits: it costs nothing more. */
function isStartedAs(
  given: Given | undefined,
  wanted: { readonly besides: string; readonly isAlone: boolean },
): boolean {
  return given?.besides === wanted.besides && !(given.isHosted && wanted.isAlone);
}

/**
 * Starts in progress: each becomes ready or fails, even if the test that requested it has failed meanwhile. A service that
 * becomes ready after the end is ended.
 */
function createStarts() {
  const starting = new Set<Promise<ServiceProcess>>();
  let hasEnded = false;
  const settled = async (): Promise<void> => void (await Promise.allSettled(starting));
  const start = async (begin: () => Promise<ServiceProcess>): Promise<ServiceProcess> => {
    if (hasEnded) throw new Error(ENDED);
    const process = await begin();
    if (!hasEnded) return process;
    await process[Symbol.asyncDispose]();
    throw new Error(ENDED);
  };
  return {
    settled,
    async run(begin: () => Promise<ServiceProcess>): Promise<ServiceProcess> {
      const started = start(begin);
      starting.add(started);
      try {
        return await started;
      } finally {
        starting.delete(started);
      }
    },
    async end(): Promise<void> {
      hasEnded = true;
      await settled();
    },
  };
}

/** The processes of a system, by service. Disposing ends them, including those that are starting. */
export function createServices({
  nats,
  data,
  ...options
}: ServicesOptions & { readonly nats: Pick<TestNats, "access" | "settingsFor">; readonly data: string }) {
  const running = new Map<ServiceName, ServiceProcess[]>(SERVICE_NAMES.map((name) => [name, []]));
  /** How each was started, and its additional environment. */
  const given = new WeakMap<ServiceProcess, Given>();
  let added: ServiceEnvironments = options.services ?? {};
  let alone: readonly ServiceName[] = options.alone ?? SERVICE_NAMES;
  let gatewayPort = options.env?.["PORT"] ?? "0";
  const processes = (name: ServiceName): readonly ServiceProcess[] => running.get(name) ?? [];
  const take = (name: ServiceName): ServiceProcess[] => running.get(name)?.splice(0) ?? [];
  /** As fast as possible: services that share a process have to stop gracefully. */
  const end = async (name: ServiceName): Promise<void> => {
    await Promise.all(take(name).map((process) => process[Symbol.asyncDispose]()));
  };
  const starts = createStarts();
  const start = async (name: ServiceName, env: Environment = {}): Promise<ServiceProcess> => {
    const besides = { ...added[name], ...env };
    const environment = { PLANWRIGHT_DATA: data, PORT: gatewayPort, ...environmentOf(options), ...besides };
    const pools = name === "executor" ? await poolsOf(environment).catch(() => ["default"]) : [];
    const settings = { ...(await nats.settingsFor(name, pools)), ...environment };
    const isHosted = canHost(settings) && !alone.includes(name);
    const process = await starts.run(() =>
      isHosted ? startHostedService(name, { ...HOSTED, ...settings }) : startServiceProcess(name, settings),
    );
    running.get(name)?.push(process);
    given.set(process, { besides: JSON.stringify(besides), isHosted });
    // A second gateway listens on another port.
    if (process.url !== undefined && gatewayPort === "0") gatewayPort = new URL(process.url).port;
    return process;
  };
  const gatewayUrl = () => `http://127.0.0.1:${gatewayPort}`;
  const startAll = async (names: readonly ServiceName[]): Promise<void> => {
    const counted = names.flatMap((name) => Array.from({ length: countOf(name, options) }, () => name));
    const started = await Promise.all(counted.map((name) => start(name)));
    await untilReady(gatewayUrl(), started);
  };
  const isAsWanted = (name: ServiceName): boolean => {
    const now = processes(name);
    const wanted = { besides: JSON.stringify(added[name] ?? {}), isAlone: alone.includes(name) };
    if (now.length !== countOf(name, options)) return false;
    return now.every((one) => one.isRunning() && isStartedAs(given.get(one), wanted));
  };
  return {
    processes,
    take,
    async kill(name: ServiceName): Promise<void> {
      await Promise.all(take(name).map((process) => process.kill()));
    },
    end,
    start,
    startAll,
    gatewayUrl,
    add(name: ServiceName, env: Environment): void {
      added = { ...added, [name]: env };
    },
    async restore(wanted: RestoreOptions) {
      added = wanted.services ?? {};
      alone = wanted.alone ?? options.alone ?? SERVICE_NAMES;
      await starts.settled();
      const changed = SERVICE_NAMES.filter((name) => !isAsWanted(name));
      await Promise.all(changed.map(end));
      if (changed.includes("executor")) await forgetAnnouncements(nats.access);
      await startAll(changed);
    },
    async [Symbol.asyncDispose]() {
      await starts.end();
      await Promise.all([...running.values()].flat().map((process) => process[Symbol.asyncDispose]()));
    },
  };
}

function environmentOf({ modelUrl = "http://127.0.0.1:9/v1", env = {} }: ServicesOptions) {
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

function countOf(name: ServiceName, { executors = 1 }: ServicesOptions): number {
  return name === "executor" ? executors : 1;
}

/**
 * Waits until the gateway knows the executor's tools, which can be later than the start of all services.
 *
 * @throws {Error} When a service ends or the time limit is reached, with the last output of the services.
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
    const said = `the system is not ready; the last response of /readyz: ${answer}`;
    throw new Error([said, ...logs].join("\n"), { cause: signal.reason ?? cause });
  }
}
