// A step refers to an output that was kept apart, and what was kept is gone.
import { type PlanEvent, PlanId, StepId, StepWork } from "@planwright/plan";
import { connectBus, createPublish, followLog, provision, stepSubject } from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { noTelemetry } from "@planwright/shared/telemetry";
import { startNats } from "@planwright/testkit";
import { mkdtempDisposable } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { startExecutor } from "../src/start-executor.ts";
import { createToolbox } from "../src/tools/create-toolbox.ts";
import { flowEcho } from "../src/tools/flow-echo.ts";

const log = createLogger({ name: "test", level: "silent" });

it("fails for good, and says which artifact is gone", async () => {
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), "planwright-executor-"));
  await using nats = await startNats();
  await using bus = await connectBus({ url: nats.url, name: "test" });
  await provision(bus);
  await using _executor = await startExecutor({
    bus,
    natsUrl: nats.url,
    toolbox: createToolbox([flowEcho()]),
    model: { complete: () => Promise.reject(new Error("no model is asked")) },
    telemetry: noTelemetry,
    workerId: "w1",
    version: "0",
    pools: [{ pool: "default", concurrency: 1 }],
    cacheFolder: folder.path,
    log,
  });
  const failed = Promise.withResolvers<PlanEvent>();
  const onEntry = ({ event }: { event: PlanEvent }): void => {
    if (event.type === "step.failed") failed.resolve(event);
  };
  await using _follower = await followLog(bus, { from: 1, onEntry, log });

  const work = StepWork.parse({
    planId: PlanId.parse("p1"),
    stepId: StepId.parse("s2"),
    item: 0,
    attempt: 1,
    sentAfter: 0,
    tool: "flow.echo",
    args: { value: { $artifact: "outputs/s1-0-1.json", path: [] } },
    pool: "default",
    effect: "read",
    timeoutMs: 5_000,
    trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false },
  });
  await createPublish(bus)(stepSubject(work), work, { id: "w" });
  expect(await failed.promise).toMatchObject({
    data: {
      retryable: false,
      error: { code: "artifact_lost", message: "the artifact outputs/s1-0-1.json is gone" },
    },
  });
});
