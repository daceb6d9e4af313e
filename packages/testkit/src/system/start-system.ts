/** The whole system as its users run it: four services as processes of their own over a real nats-server. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { startNats, type TestNats, type TestNatsOptions } from "../nats/start-nats.ts";
import { noteStart } from "../run/test-run.ts";
import { createClient, type SystemClient } from "./client.ts";
import { SERVICE_NAMES, type ServiceName } from "./service-names.ts";
import { type ServiceProcess, startServiceProcess } from "./start-service-process.ts";

const READY_WITHIN_MS = 60_000;
const READY_POLL_MS = 20;
/** Of each service, in the error of a system that did not start. */
const LOG_CHARS_MAX = 4_000;

export type SystemOptions = {
  /** The base URL of the model's server; without it nothing answers there. */
  readonly modelUrl?: string;
  /** Executor processes; default 1. */
  readonly executors?: number;
  /** Added to every service's environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly nats?: TestNatsOptions;
};

export type TestSystem = AsyncDisposable & {
  /** Where the gateway listens. */
  readonly url: string;
  readonly nats: TestNats;
  /** Calls the gateway. */
  readonly client: SystemClient;
  /** The running processes of one service. */
  processes(name: ServiceName): readonly ServiceProcess[];
  /** Starts one more process of a service; `env` is added to its environment. */
  start(name: ServiceName, env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Kills the processes of a service at once, as a crash would. */
  kill(name: ServiceName): Promise<void>;
  /** Asks every service to stop, one after the other in no order, and waits for all of them. */
  stopServices(): Promise<void>;
  /** Starts all four services again, the gateway where it was, and waits until they are ready. */
  startServices(): Promise<void>;
};

/** Starts everything and waits until it is ready. Disposing it ends every process and removes its data. */
export async function startSystem(options: SystemOptions = {}): Promise<TestSystem> {
  noteStart("whole system");
  await using cleanup = new AsyncDisposableStack();
  const data = await mkdtemp(path.join(os.tmpdir(), "planwright-"));
  cleanup.defer(() => rm(data, { recursive: true, force: true }));
  const nats = cleanup.use(await startNats(options.nats));
  const running = new Map<ServiceName, ServiceProcess[]>(SERVICE_NAMES.map((name) => [name, []]));
  cleanup.defer(async () => {
    await Promise.all([...running.values()].flat().map((process) => process[Symbol.asyncDispose]()));
  });

  let gatewayPort = "0";
  const start = async (
    name: ServiceName,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ServiceProcess> => {
    const process = await startServiceProcess(name, {
      NATS_URL: nats.url,
      PLANWRIGHT_DATA: data,
      HOST: "127.0.0.1",
      PORT: gatewayPort,
      OPENAI_BASE_URL: options.modelUrl ?? "http://127.0.0.1:9/v1",
      OPENAI_API_KEY: "test",
      PLANNER_MODEL: "test-planner",
      EXECUTOR_MODEL: "test-executor",
      REFLECTOR_MODEL: "test-reflector",
      LOG_LEVEL: "info",
      STRICT_RESPONSES: "true",
      ...options.env,
      ...env,
    });
    running.get(name)?.push(process);
    if (process.url !== undefined) gatewayPort = new URL(process.url).port;
    return process;
  };
  const startServices = async (): Promise<void> => {
    const executors = Array.from({ length: (options.executors ?? 1) - 1 }, () => "executor" as const);
    const started = await Promise.all([...SERVICE_NAMES, ...executors].map((name) => start(name)));
    await untilReady(`http://127.0.0.1:${gatewayPort}`, started);
  };
  const take = (name: ServiceName): ServiceProcess[] => running.get(name)?.splice(0) ?? [];

  await startServices();
  const url = `http://127.0.0.1:${gatewayPort}`;
  const owned = cleanup.move();
  return {
    url,
    nats,
    client: createClient(url),
    processes: (name) => running.get(name) ?? [],
    start,
    startServices,
    async kill(name) {
      await Promise.all(take(name).map((process) => process.kill()));
    },
    async stopServices() {
      await Promise.all(SERVICE_NAMES.flatMap(take).map((process) => process.stop()));
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
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
