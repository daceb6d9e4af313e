/**
 * The floor: a step's bare round trip over JetStream, without planning, state, fences, traces or clients.
 *
 * Publish work → worker process → publish result → consume. Separate processes, file storage, ids on both
 * messages, work acknowledged after its result is stored, no unnecessary waiting.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { AckPolicy, DeliverPolicy, jetstream, jetstreamManager, RetentionPolicy } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { findNatsServer, startNatsServer } from "@planwright/launcher";
import { type DagStep, runDag } from "./dag.ts";
import { DUPLICATE_WINDOW_NS, FLOOR, PAYLOAD_BYTES } from "./floor-subjects.ts";
import { createThinPublish } from "./thin-publisher.ts";

export type JetStreamFloor = AsyncDisposable & {
  /** Sends every step to the worker once its predecessors are done; resolves when all steps are done. */
  run(steps: readonly DagStep[]): Promise<void>;
};

export async function startJetStreamFloor(): Promise<JetStreamFloor> {
  await using cleanup = new AsyncDisposableStack();
  const storeDir = await mkdtemp(path.join(os.tmpdir(), "planwright-floor-"));
  cleanup.defer(() => rm(storeDir, { recursive: true, force: true }));
  const { bin } = await findNatsServer({ env: process.env, log: () => undefined });
  const nats = cleanup.use(await startNatsServer({ bin, storeDir, log: () => undefined }));
  const connection = await connect({ servers: nats.url, noAsyncTraces: true });
  cleanup.defer(() => connection.close());
  await provision(connection);
  await startWorker(nats.url, cleanup);

  const publish = createThinPublish(connection);
  const waiting = new Map<string, () => void>();
  const results = await jetstream(connection).consumers.get(FLOOR.logStream, {
    deliver_policy: DeliverPolicy.New,
  });
  await results.consume({
    max_messages: 1_000,
    callback: (message) => {
      const id = message.subject.slice(FLOOR.log.length + 1);
      waiting.get(id)?.();
      waiting.delete(id);
    },
  });

  let number = 0;
  const body = new Uint8Array(PAYLOAD_BYTES);
  const owned = cleanup.move();
  return {
    async run(steps) {
      const plan = `p${number++}`;
      await runDag(steps, async ({ id }) => {
        const key = `${plan}.${id}`;
        const done = new Promise<void>((resolve) => waiting.set(key, resolve));
        await Promise.all([done, publish(`${FLOOR.work}.${key}`, body, key)]);
      });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function provision(connection: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const manager = await jetstreamManager(connection);
  const shared = { storage: "file", duplicate_window: DUPLICATE_WINDOW_NS } as const;
  await manager.streams.add({
    ...shared,
    name: FLOOR.workStream,
    subjects: [`${FLOOR.work}.>`],
    retention: RetentionPolicy.Workqueue,
  });
  await manager.streams.add({ ...shared, name: FLOOR.logStream, subjects: [`${FLOOR.log}.>`] });
  await manager.consumers.add(FLOOR.workStream, {
    durable_name: FLOOR.worker,
    ack_policy: AckPolicy.Explicit,
    max_ack_pending: 20_000,
  });
}

async function startWorker(natsUrl: string, cleanup: AsyncDisposableStack): Promise<void> {
  const worker = fork(path.join(import.meta.dirname, "floor-worker.ts"), {
    env: { ...process.env, NATS_URL: natsUrl },
    execArgv: [],
  });
  cleanup.defer(async () => {
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const ended = once(worker, "exit");
    worker.kill("SIGKILL");
    await ended;
  });
  const failed = once(worker, "exit").then(() => {
    throw new Error("the floor's worker ended before it was ready");
  });
  await Promise.race([once(worker, "message"), failed]);
  failed.catch(() => undefined);
}
