/** One executor with the test's own tools and a real nats-server, and what it reports. */
import { type PlanEvent, PlanId, StepId, StepWork } from "@planwright/plan";
import { type ArtifactStore, createArtifactStore } from "@planwright/shared/artifacts";
import {
  type Bus,
  connectBus,
  createPublish,
  followLog,
  provision,
  stepSubject,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { noTelemetry } from "@planwright/shared/telemetry";
import { startNats } from "@planwright/testkit";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect } from "vitest";
import { type ExecutorOptions, startExecutor } from "../../src/start-executor.ts";
import { createToolbox } from "../../src/tools/create-toolbox.ts";
import type { Tool } from "../../src/tools/define-tool.ts";

export const PLAN_ID = PlanId.parse("p1");
const log = createLogger({ name: "test", level: "silent" });

type Outcome = Extract<PlanEvent, { type: "step.succeeded" | "step.failed" }>;

export type ExecutorBench = AsyncDisposable & {
  readonly bus: Bus;
  readonly artifacts: ArtifactStore;
  /** Sends one step to the executor and waits for its outcome. */
  run(
    stepId: string,
    tool: string,
    args: object,
    more?: Partial<Pick<StepWork, "effect" | "approval">>,
  ): Promise<Outcome>;
  /** Starts another worker with the same tools; it stops with the bench. */
  startWorker(workerId: string): Promise<void>;
  /** The last outcome of each step so far. */
  outcomes(): ReadonlyMap<string, Outcome>;
};

/** @param before - Runs before the executor starts. */
export async function startExecutorBench(
  tools: readonly Tool[],
  before: (bus: Bus) => Promise<void> = () => Promise.resolve(),
  options: Pick<ExecutorOptions, "sourcesPlace" | "unitMs"> = {},
): Promise<ExecutorBench> {
  await using stack = new AsyncDisposableStack();
  const cacheFolder = await mkdtemp(path.join(os.tmpdir(), "planwright-executor-"));
  stack.defer(() => rm(cacheFolder, { recursive: true, force: true }));
  const nats = stack.use(await startNats());
  const bus = stack.use(await connectBus({ url: nats.url, name: "test" }));
  await provision(bus);
  await before(bus);
  const outcomes = new Map<string, Outcome>();
  const onEntry = ({ event }: { event: PlanEvent }): void => {
    if (event.type === "step.failed" || event.type === "step.succeeded")
      outcomes.set(event.data.stepId, event);
  };
  stack.use(await followLog(bus, { from: 1, onEntry, log }));
  const startWorker = (workerId: string): Promise<AsyncDisposable> =>
    startExecutor({
      bus,
      nats: { url: nats.url },
      toolbox: createToolbox(tools),
      model: { complete: () => Promise.reject(new Error("no model is asked")) },
      telemetry: noTelemetry,
      workerId,
      version: "0",
      pools: [{ pool: "default", concurrency: 1 }],
      cacheFolder,
      log,
      ...options,
    });
  stack.use(await startWorker("w1"));
  const publish = createPublish(bus);
  const owned = stack.move();
  return {
    bus,
    artifacts: createArtifactStore(bus),
    startWorker: async (workerId) => void owned.use(await startWorker(workerId)),
    outcomes: () => outcomes,
    async run(stepId, tool, args, more = {}) {
      const work = StepWork.parse({
        planId: PLAN_ID,
        tenant: "default",
        stepId: StepId.parse(stepId),
        item: 0,
        attempt: 1,
        sentAfter: 0,
        tool,
        args,
        pool: "default",
        effect: "read",
        timeoutMs: 60_000,
        ...more,
        trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false },
      });
      await publish(stepSubject(work), work, { id: stepId });
      await expect.poll(() => outcomes.get(stepId)).toBeDefined();
      return outcomes.get(stepId) as Outcome;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
