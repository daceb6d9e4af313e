// Leftovers of uploads whose gateway died halfway; with a real nats-server.
import { randomBytes, randomUUID } from "node:crypto";
import { PlanId } from "@planwright/plan";
import { type ArtifactStore, createArtifactStore } from "@planwright/shared/artifacts";
import {
  BUCKETS,
  type Bus,
  bucketStream,
  connectBus,
  OBJECT_BUCKET,
  openRegistry,
  provision,
  type Registry,
  STREAMS,
} from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { DATA_OWNER, DataSource } from "@planwright/shared/tools";
import { startNats, type TestNats } from "@planwright/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSourceStore } from "../src/data/source-store.ts";
import { sweepUploads } from "../src/data/sweep-uploads.ts";

const DAY_MS = 86_400_000;
const LARGE = Buffer.concat([Buffer.from("a\n"), Buffer.alloc(2 * 1024 * 1024, "1\n")]);
const log = createLogger({ name: "test", level: "silent" });

let nats: TestNats;
let bus: Bus;
let artifacts: ArtifactStore;
let registry: Registry<DataSource>;
beforeEach(async () => {
  nats = await startNats();
  bus = await connectBus({ url: nats.url, name: "test" });
  await provision(bus);
  artifacts = createArtifactStore(bus);
  registry = await openRegistry(bus, { bucket: BUCKETS.sources, Schema: DataSource, log });
});
afterEach(async () => {
  for (const part of [registry, bus, nats]) await part?.[Symbol.asyncDispose]();
});

/** Uploads a small and a large file through a gateway with this registry. */
async function upload(name: string, into: Registry<DataSource> = registry): Promise<void> {
  const limits = { sources: 100, bytes: 1024 ** 3 };
  const store = createSourceStore({ artifacts, registry: into, limits, random: randomBytes, log });
  const small = { fileName: "small.csv", content: Buffer.from("a\n1\n") };
  const files = [small, { fileName: "large.csv", content: LARGE }];
  await store.put({ tenant: "acme", name, kind: "csv", files });
}

class Died extends Error {}
const dies = async (): Promise<never> => {
  throw new Died();
};

/** Stores everything except the entry. */
const dieBeforeTheEntry = (name: string) =>
  expect(upload(name, { ...registry, put: dies })).rejects.toThrow(Died);

/** Stores a large file without its last piece. */
async function dieBetweenPieces(): Promise<void> {
  for (let piece = 0; piece < 3; piece++)
    await bus.js.publish(`$O.${OBJECT_BUCKET}.C.${"x".repeat(22)}`, randomBytes(1_000));
}

const sweep = (days: number): Promise<void> =>
  sweepUploads({ bus, artifacts, now: () => new Date(Date.now() + days * DAY_MS), log });
const stored = async (): Promise<number[]> =>
  Promise.all(
    [STREAMS.artifacts, `OBJ_${OBJECT_BUCKET}`].map(
      async (stream) => (await bus.manager.streams.info(stream)).state.messages,
    ),
  );

it("removes leftovers of interrupted uploads after a day, but nothing that belongs to a source or a plan", async () => {
  await upload("sales");
  const planId = PlanId.parse(randomUUID());
  await artifacts.put(planId, "large", randomBytes(1024 * 1024), "application/octet-stream");
  await artifacts.put(DATA_OWNER, "old/1/old.csv", Buffer.from("a\n1\n"), "text/csv");
  const before = await stored();
  await dieBeforeTheEntry("lost");
  await dieBetweenPieces();
  expect(await stored()).not.toEqual(before);
  await sweep(2);
  expect(await stored()).toEqual(before);
});

it("leaves an upload in progress alone, which then becomes a source with all its files", async () => {
  const writing = Promise.withResolvers<void>();
  const mayEnd = Promise.withResolvers<void>();
  const put = async (key: string, source: DataSource): Promise<void> => {
    writing.resolve();
    await mayEnd.promise;
    await registry.put(key, source);
  };
  const uploading = upload("sales", { ...registry, put });
  await writing.promise;
  await dieBetweenPieces();
  const before = await stored();
  await sweep(0);
  expect(await stored()).toEqual(before);
  mayEnd.resolve();
  await uploading;
  const { store = DATA_OWNER, files } = registry.entries().get("acme/sales") ?? {};
  const names = (await artifacts.list(store)).map(({ name }) => name);
  expect(names).toEqual(files?.map(({ artifact }) => artifact).toSorted());
});

it("keeps the files of an entry that a newer version has written", async () => {
  await upload("sales");
  const [key] = Object.keys(
    (await bus.manager.streams.info(bucketStream(BUCKETS.sources), { subjects_filter: ">" })).state
      .subjects ?? {},
  );
  const entry = registry.entries().get("acme/sales");
  await bus.js.publish(key ?? "", JSON.stringify({ ...entry, kind: "parquet", shards: 3 }));
  const before = await stored();
  await sweep(2);
  expect(await stored()).toEqual(before);
});

it("removes a hundred interrupted uploads in one sweep, and the others in the next", async () => {
  for (let number = 0; number < 101; number++) {
    const store = PlanId.parse(`data-${randomBytes(16).toString("hex")}`);
    await artifacts.put(store, "small.csv", Buffer.from("a\n1\n"), "text/csv");
  }
  await sweep(2);
  expect((await stored())[0]).toBe(1);
  await sweep(2);
  expect(await stored()).toEqual([0, 0]);
});
