/** The whole system as its users run it: four services in separate processes with a real nats-server. */
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { PlanId } from "@planwright/plan";
import { type Replicas, STREAMS } from "@planwright/shared/bus";
import { z } from "zod";
import type { NatsCluster } from "../nats/start-nats-cluster.ts";
import { startNats, type TestNats, type TestNatsOptions } from "../nats/start-nats.ts";
import { noteStart, runFolder } from "../run/test-run.ts";
import { createClient, type SystemClient } from "./client.ts";
import { runningSystems } from "./plans-report.ts";
import { SERVICE_NAMES, type ServiceName } from "./service-names.ts";
import type { ServiceProcess } from "./start-service-process.ts";
import { createServices, type RestoreOptions, type ServicesOptions } from "./system-services.ts";
import { forgetUploads, gatewaySources, provisionAll, purge } from "./system-store.ts";

const ENDED: ReadonlySet<string> = new Set(["succeeded", "partial", "failed", "cancelled"]);
export type SystemOptions = ServicesOptions & {
  readonly nats?: TestNatsOptions;
  /** A running cluster to use instead of a separate server; it is left running. */
  readonly cluster?: NatsCluster;
  /** As `NATS_REPLICAS`. */
  readonly replicas?: Replicas;
  /** Called before anything is stored, with the empty data folder and the empty nats-server. */
  readonly prepare?: (place: { readonly data: string; readonly nats: TestNats }) => Promise<void>;
};

export type TestSystem = AsyncDisposable & {
  /** The gateway's URL. */
  readonly url: string;
  /** The data folder. */
  readonly data: string;
  readonly nats: TestNats;
  /** Calls the gateway. */
  readonly client: SystemClient;
  /** The running processes of one service. */
  processes(name: ServiceName): readonly ServiceProcess[];
  /** Starts one more process of a service; `env` is added to its environment. */
  start(name: ServiceName, env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Replaces the processes of a service by one with this additional environment; later ones get it too until {@link restore}. */
  reconfigure(name: ServiceName, env: Readonly<Record<string, string>>): Promise<void>;
  /** Kills the processes of a service immediately, like a crash. Rejects if it is not {@link SystemOptions.alone}. */
  kill(name: ServiceName): Promise<void>;
  /** Ends an idle service, to start it with other options. */
  end(name: ServiceName): Promise<void>;
  /** Asks every service to stop, one after another in any order, and waits for all of them. */
  stopServices(): Promise<void>;
  /** Starts all four services again, the gateway on the same port, and waits until they are ready. */
  startServices(): Promise<void>;
  /**
   * Prepares it for another test file: replaces processes that ended or were started with another environment, forgets the
   * announcements of such executors and the data uploaded by tests, cancels the plans that have not ended, and empties the log
   * and the dead letters. The gateway still lists the plans.
   *
   * @param options.services - The additional environment of single services from now on.
   * @param options.alone - The services that run as separate processes from now on; default: as at the system's start.
   * @throws {Error} When a plan does not end.
   */
  restore(options?: RestoreOptions): Promise<void>;
  /** Cancels the plans that have not ended, and empties log and dead letters. @throws {Error} When a plan does not end. */
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
    kill: (name) => services.kill(name),
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

const Page = z.object({
  plans: z.array(z.object({ planId: PlanId, status: z.string() })),
  nextCursor: z.string().optional(),
});

/** Cancels every plan that has not ended, and waits until all have ended. */
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
        // Created after an earlier file's plans were listed, such as a late effect's compensation; its log went with theirs.
        if (cancelled.status === 404) return;
        await client.ended(planId);
      }),
    );
  } while (cursor !== undefined);
}
