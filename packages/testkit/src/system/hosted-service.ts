/** Services of test systems that share one process per test process: see `service-host.ts`. */
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { BUNDLED_SERVICES, type ServiceName } from "./service-names.ts";
import { forkServices, outputTail, type ServiceProcess } from "./start-service-process.ts";

const HOST = fileURLToPath(new URL("./service-host.ts", import.meta.url));
const LOADED_WITHIN_MS = 60_000;
/** Longer than the grace period of any service; a service that hangs fails the test that stops it. */
const STOPPED_WITHIN_MS = 30_000;

export type ToHost =
  | {
      readonly type: "start";
      readonly id: number;
      readonly name: ServiceName;
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly type: "stop"; readonly id: number };

export type FromHost =
  | { readonly type: "loaded" }
  | { readonly type: "ready"; readonly id: number; readonly url: string | undefined }
  | { readonly type: "log"; readonly id: number; readonly text: string }
  | { readonly type: "ended"; readonly id: number; readonly code: number };

type Hosted = {
  readonly onMessage: (message: FromHost) => void;
  readonly onHostEnd: (end: number | NodeJS.Signals) => void;
};

type ServiceHost = {
  readonly send: (message: ToHost) => void;
  /** Its services, by id. */
  readonly services: Map<number, Hosted>;
  readonly isRunning: () => boolean;
};

let host: Promise<ServiceHost> | undefined;
let lastId = 0;

/** Whether a service with this environment can share a process: if a test run has bundled it, and no faults are injected. */
export function canHost(env: Readonly<Record<string, string>>): boolean {
  return process.env[BUNDLED_SERVICES] !== undefined && env["PLANWRIGHT_FAULTS"] === undefined;
}

/**
 * Starts a service in the shared process of this process's hosted services, and waits until it is ready. It cannot be killed,
 * and `PLANWRIGHT_FAULTS` cannot make it fail.
 *
 * @throws {Error} When it does not start, with its output.
 */
export async function startHostedService(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const { send, services, isRunning } = await runningHost();
  lastId += 1;
  const id = lastId;
  const output = outputTail();
  const ready = Promise.withResolvers<string | undefined>();
  const ended = Promise.withResolvers<number | NodeJS.Signals>();
  let isOver = false;
  const end = (how: number | NodeJS.Signals): void => {
    isOver = true;
    services.delete(id);
    ready.reject(new Error(`${name} ended with ${how} before it was ready; it printed:\n${output.text()}`));
    ended.resolve(how);
  };
  services.set(id, {
    onMessage(message) {
      if (message.type === "log") output.add(message.text);
      if (message.type === "ready") ready.resolve(message.url);
      if (message.type === "ended") end(message.code);
    },
    onHostEnd: end,
  });
  send({ type: "start", id, name, env });
  const url = await ready.promise;
  const stop = async (): Promise<number | null> => {
    if (!isOver && isRunning()) send({ type: "stop", id });
    const late = setTimeout(
      () => ended.reject(new Error(`${name} did not stop; it printed:\n${output.text()}`)),
      STOPPED_WITHIN_MS,
    );
    try {
      const how = await ended.promise;
      return typeof how === "number" ? how : null;
    } finally {
      clearTimeout(late);
    }
  };
  return {
    name,
    url,
    get process(): ChildProcess {
      throw sharesProcess(name);
    },
    ended: ended.promise,
    isRunning: () => !isOver,
    output: output.text,
    kill: () => Promise.reject(sharesProcess(name)),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

function sharesProcess(name: ServiceName): Error {
  return new Error(
    `the ${name} shares its process with other services: ask for the system with alone: ["${name}"]`,
  );
}

/** Returns the host of this process, a new one if it has ended. */
async function runningHost(): Promise<ServiceHost> {
  const present = await host?.catch(() => undefined);
  if (present?.isRunning() === true) return present;
  host = startHost();
  return host;
}

async function startHost(): Promise<ServiceHost> {
  const bundle = process.env[BUNDLED_SERVICES] ?? "";
  const child = forkServices(HOST, { args: [bundle], output: "inherit" });
  const services = new Map<number, Hosted>();
  const loaded = Promise.withResolvers<void>();
  child.on("message", (message: FromHost) => {
    if (message.type === "loaded") loaded.resolve();
    else services.get(message.id)?.onMessage(message);
  });
  child.once("exit", (code, signal) => {
    const how = signal ?? code ?? 0;
    loaded.reject(new Error(`the process of the services ended with ${how} before it was ready`));
    for (const service of services.values()) service.onHostEnd(how);
  });
  const late = setTimeout(
    () => loaded.reject(new Error(`the services were not loaded within ${LOADED_WITHIN_MS} ms`)),
    LOADED_WITHIN_MS,
  );
  try {
    await loaded.promise;
  } finally {
    clearTimeout(late);
  }
  return { send: (message) => child.send(message), services, isRunning: () => child.connected };
}
