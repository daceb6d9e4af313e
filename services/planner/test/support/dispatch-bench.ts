/**
 * A real nats-server with submitted plans and simulated workers; dispatchers in this process or planners as separate processes.
 */
import { BARE_GOAL } from "@planwright/plan/testing";
import {
  type Json,
  OWNER_TOOLS,
  PlanEvent,
  PlanId,
  type StepWork,
  type ToolGrant,
  ToolSpec,
} from "@planwright/plan";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  BUCKETS,
  type Bus,
  connectBus,
  createPublish,
  factSubject,
  openRegistry,
  provision,
  readPlan,
  readPlanEvents,
  STREAMS,
  WORKER_BEATS,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { noTelemetry } from "@planwright/shared/telemetry";
import { type ServiceProcess, startNats, startServiceProcess } from "@planwright/testkit";
import { expect } from "vitest";
import { startDispatcher } from "../../src/dispatch/start-dispatcher.ts";
import { playWorker } from "./play-worker.ts";

export const log = createLogger({ name: "test", level: process.env["LOG_LEVEL"] ?? "silent" });
const ownerGrant = { pool: "owner", risk: "low", effect: "idempotent", timeoutMs: 86_400_000 };
const grant: ToolGrant = { pool: "default", risk: "low", effect: "read", timeoutMs: 5_000 };

const TOOLS = new Map([echoSpec(), ...OWNER_TOOLS].map((spec) => [spec.name, spec]));

function echoSpec(): ToolSpec {
  const about = { name: "flow.echo", description: "Returns a value.", input: {}, output: {} };
  return ToolSpec.parse({ ...about, ...grant });
}

/** The dependencies of a dispatcher. */
export function dispatchDeps(bus: Bus) {
  return {
    bus,
    publish: createPublish(bus),
    artifacts: createArtifactStore(bus),
    tools: () => TOOLS,
    telemetry: noTelemetry,
    now: () => new Date(),
  };
}

export async function startDispatchBench() {
  await using stack = new AsyncDisposableStack();
  const nats = stack.use(await startNats());
  const owned = stack.move();
  const connect = async () => owned.use(await connectBus({ url: nats.url, name: "test" }));
  const bus = await connect();
  await provision(bus);
  const publish = createPublish(bus);
  let dispatchers = 0;

  const types = async (planId: PlanId): Promise<string[]> => {
    const seen: string[] = [];
    for await (const { event } of readPlanEvents(bus, planId)) seen.push(event.type);
    return seen;
  };

  return {
    nats,
    bus,
    publish,
    types,
    connect,

    /** A dispatcher in this process, with its own connection. */
    async dispatcher() {
      const own = await connect();
      dispatchers += 1;
      return startDispatcher({ ...dispatchDeps(own), plannerId: `planner-${dispatchers}`, log });
    },

    /** A planner as a separate process; its drafts would fail. */
    async planner(): Promise<ServiceProcess> {
      await using registry = await openRegistry(bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log });
      for (const spec of TOOLS.values()) await registry.put(spec.name, spec);
      const env = { NATS_URL: nats.url, OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_API_KEY: "test" };
      return owned.use(await startServiceProcess("planner", { ...env, PLANNER_MODEL: "none" }));
    },

    /** @param goal - The remaining fields of its submission. */
    async submit(id: string, steps: object[], more: object = {}, goal: object = {}): Promise<PlanId> {
      const planId = PlanId.parse(id);
      const event = PlanEvent.parse({
        id: `${id}/submitted`,
        type: "goal.submitted",
        planId,
        at: new Date().toISOString(),
        data: {
          ...BARE_GOAL,
          goal: "g",
          tenant: "local",
          plan: { steps, ...more },
          grants: { "flow.echo": grant, "plan.run": ownerGrant, "human.ask": ownerGrant },
          maxReplans: 0,
          ...goal,
        },
      });
      await publish(factSubject(event), event, { id: event.id, expect: { sequence: 0 } });
      return planId;
    },

    async ended(planId: PlanId) {
      await expect.poll(async () => (await readPlan(bus, planId))?.endedAt).toBeDefined();
      const plan = await readPlan(bus, planId);
      if (plan === undefined) throw new Error("the plan is gone");
      return plan;
    },

    async worker(run: (work: StepWork) => Promise<Json>) {
      const own = await connect();
      const deps = { bus: own, publish: createPublish(own), url: nats.url, log };
      return owned.use(await playWorker(deps, run));
    },

    /** Reports every half second, until disposed, that a worker of the pool `default` runs this many steps at a time. */
    beats(concurrency: number): Disposable {
      const beat = { workerId: "worker-1", pool: "default", concurrency };
      const say = (): void => bus.connection.publish(WORKER_BEATS, JSON.stringify(beat));
      say();
      const timer = setInterval(say, 500);
      return { [Symbol.dispose]: () => clearInterval(timer) };
    },

    /** The number of step messages in the queue of the pool `default` or with its workers, for one plan or for all. */
    async sent(planId: PlanId | "*" = "*"): Promise<number> {
      const filter = `work.step.default.${planId}.>`;
      const { state } = await bus.manager.streams.info(STREAMS.work, { subjects_filter: filter });
      return Object.keys(state.subjects ?? {}).length;
    },

    /** The total number of messages that the work queue has ever accepted. */
    async workStored(): Promise<number> {
      return (await bus.manager.streams.info(STREAMS.work)).state.last_seq;
    },

    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
