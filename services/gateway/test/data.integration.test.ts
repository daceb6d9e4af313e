// Ownership of data sources: uploads belong to a tenant, the installation's own to all.
import { PlanId } from "@planwright/plan";
import { createArtifactStore } from "@planwright/shared/artifacts";
import { BUCKETS, OBJECT_BUCKET, openRegistry, type Registry } from "@planwright/shared/bus";
import { DATA_OWNER, DataSource } from "@planwright/shared/tools";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { log, startSystem, type TestGateway, type TestSystem } from "./support/start-gateway.ts";

const CSV = "region,revenue\nNorth,1\n";
const ADA = { authorization: "Bearer a" };
const BOB = { authorization: "Bearer b" };
const KEYS = { PLANWRIGHT_API_KEYS: "ada:a,bob:b" };
const Sources = z.object({ sources: z.array(z.object({ name: z.string(), origin: z.string() })) });

let system: TestSystem;
let registry: Registry<DataSource>;
let folder: string;

beforeAll(async () => {
  system = await startSystem();
  registry = await openRegistry(system.bus, { bucket: BUCKETS.sources, Schema: DataSource, log });
  folder = path.join(system.folder, "sources");
  await mkdir(folder);
  await writeFile(path.join(folder, "demo.csv"), CSV);
  await writeFile(path.join(folder, "gone.csv"), CSV);
});
afterAll(async () => {
  await registry?.[Symbol.asyncDispose]();
  await system?.[Symbol.asyncDispose]();
});

const start = (env: Record<string, string> = {}) =>
  system.gateway({ env: { ...KEYS, PLANWRIGHT_UPLOADS: folder, ...env } });
const upload = (gateway: TestGateway, who: Record<string, string>, name: string, csv = CSV) =>
  gateway.post(`/v1/data?name=${name}`, csv, { "content-type": "text/csv", ...who });
const namesOf = async (gateway: TestGateway, who: Record<string, string>) =>
  Sources.parse(await (await gateway.get("/v1/data", who)).json()).sources.map(
    ({ name, origin }) => `${name} ${origin}`,
  );
const filesOf = async (store: string) =>
  (await createArtifactStore(system.bus).list(PlanId.parse(store))).map(({ name }) => name);

describe("uploads of a version that shared them between tenants", () => {
  beforeAll(async () => {
    const artifacts = createArtifactStore(system.bus);
    for (const name of ["demo", "theirs", "default-too"]) {
      const artifact = `${name}/1/${name}.csv`;
      await artifacts.put(DATA_OWNER, artifact, Buffer.from(CSV), "text/csv");
      const file = { fileName: `${name}.csv`, artifact, bytes: CSV.length, sha256: "0" };
      await registry.put(name, { name, kind: "csv", files: [file], tables: [] });
    }
    const local = { path: "/x", host: "h", config: "/x/sources.json" };
    await registry.put("live", { name: "live", kind: "csv", files: [], local });
  });

  it("belong to the tenant of the first key from then on, and no other sees them", async () => {
    for (let starts = 1; starts <= 2; starts++) {
      await using gateway = await start();
      const all = ["demo configuration", "gone configuration", "live configuration"];
      expect(await namesOf(gateway, BOB)).toEqual(all);
      expect(await namesOf(gateway, ADA)).toEqual([...all, "default-too upload", "theirs upload"].toSorted());
      await gateway.submit({ goal: "g", data: ["theirs"] }, ADA);
    }
    // Still described, with the file in its old location.
    expect(registry.entries().get("ada/theirs")).toMatchObject({ tenant: "ada", tables: [] });
    expect(await filesOf(DATA_OWNER)).toContain("theirs/1/theirs.csv");
  });

  it("are replaced without a trace of the old file", async () => {
    await using gateway = await start();
    expect((await upload(gateway, ADA, "theirs", "a\n2\n")).status).toBe(201);
    expect(await filesOf(DATA_OWNER)).not.toContain("theirs/1/theirs.csv");
    expect(await filesOf(DATA_OWNER)).toContain("default-too/1/default-too.csv");
  });
});

it("removes a source of the folder when its file is gone, and restores it when the file returns", async () => {
  await rm(path.join(folder, "gone.csv"));
  {
    await using gateway = await start();
    expect(await namesOf(gateway, BOB)).not.toContain("gone configuration");
  }
  await writeFile(path.join(folder, "gone.csv"), CSV);
  await using gateway = await start();
  expect(await namesOf(gateway, BOB)).toContain("gone configuration");
  const { store = "" } = registry.entries().get("gone") ?? {};
  expect(await filesOf(store)).toEqual(["gone.csv"]);
});

it("keeps one version of an upload, whatever it replaces", async () => {
  await using gateway = await start();
  const stores: string[] = [];
  for (const csv of [CSV, "a\n1\n", CSV]) {
    expect((await upload(gateway, BOB, "versions", csv)).status).toBe(201);
    const { store = "" } = registry.entries().get("bob/versions") ?? {};
    await expect.poll(() => registry.entries().get("bob/versions")?.files[0]?.bytes).toBe(csv.length);
    stores.push(registry.entries().get("bob/versions")?.store ?? store);
  }
  const [first = "", second = "", last = ""] = stores;
  expect([await filesOf(first), await filesOf(second), await filesOf(last)]).toEqual([
    [],
    [],
    ["versions.csv"],
  ]);
});

it("limits the number and the bytes of a tenant's uploads, and explains how to continue", async () => {
  await using gateway = await start({
    PLANWRIGHT_API_KEYS: "cy:c,dan:d",
    UPLOADS_PER_TENANT_MAX: "2",
    UPLOAD_BYTES_PER_TENANT_MAX: "60",
  });
  const cy = { authorization: "Bearer c" };
  const dan = { authorization: "Bearer d" };
  expect((await upload(gateway, cy, "one")).status).toBe(201);
  const large = await upload(gateway, cy, "two", `a\n${"1\n".repeat(20)}`);
  expect([large.status, await large.json()]).toMatchObject([
    409,
    { code: "data_limit_reached", detail: expect.stringContaining("UPLOAD_BYTES_PER_TENANT_MAX") },
  ]);
  // Simultaneously: each sees what the others have stored.
  const together = await Promise.all(["x", "y", "z"].map((name) => upload(gateway, cy, name, "a\n1\n")));
  expect(together.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
    201, 409, 409,
  ]);
  expect((await upload(gateway, cy, "one", "a\n3\n")).status).toBe(201);
  expect((await upload(gateway, dan, "one")).status).toBe(201);
});

it("does not let the description of a file replace a newer file, or bring back a removed one", async () => {
  const file = { fileName: "f.csv", artifact: "f.csv", bytes: 1, sha256: "0" };
  const before: DataSource = { name: "race", tenant: "ada", kind: "csv", files: [file] };
  const after = { ...before, tables: [] };
  const key = "ada/race";
  expect(await registry.replace(key, { before, after })).toBe(false);
  await registry.put(key, before);
  expect(await registry.replace(key, { before, after })).toBe(true);
  expect(await registry.replace(key, { before, after })).toBe(false);
  await registry.remove(key);
  expect(await registry.replace(key, { before: after, after })).toBe(false);
  await expect.poll(() => registry.entries().has(key)).toBe(false);
});

describe("deleting a data source", () => {
  const remove = (gateway: TestGateway, who: Record<string, string>, name: string) =>
    gateway.delete(`/v1/data/${encodeURIComponent(name)}`, who);

  it("deletes an upload and its file, and frees the name immediately for the same file", async () => {
    await using gateway = await start();
    for (let uploads = 1; uploads <= 2; uploads++) {
      expect((await upload(gateway, ADA, "brief")).status).toBe(201);
      await expect.poll(() => registry.entries().has("ada/brief")).toBe(true);
      const { store = "" } = registry.entries().get("ada/brief") ?? {};
      expect(await filesOf(store)).toEqual(["brief.csv"]);
      expect((await remove(gateway, ADA, "brief")).status).toBe(204);
      expect(await namesOf(gateway, ADA)).not.toContain("brief upload");
      expect(await filesOf(store)).toEqual([]);
      expect((await gateway.post("/v1/plans", { goal: "g", data: ["brief"] }, ADA)).status).toBe(422);
    }
    const again = await remove(gateway, ADA, "brief");
    expect([again.status, await again.json()]).toMatchObject([404, { code: "source_not_found" }]);
  });

  it("deletes all parts of a large file, and keeps another tenant's copy of the same file", async () => {
    await using gateway = await start();
    const large = `a\n${"1\n".repeat(1024 * 1024)}`;
    for (const who of [ADA, BOB]) expect((await upload(gateway, who, "large", large)).status).toBe(201);
    const objects = async () => {
      const { state } = await system.bus.manager.streams.info(`OBJ_${OBJECT_BUCKET}`);
      return state.bytes;
    };
    const before = await objects();
    expect((await remove(gateway, ADA, "large")).status).toBe(204);
    expect(before - (await objects())).toBeGreaterThan(large.length * 0.9);
    const { store = "", files: [file] = [] } = registry.entries().get("bob/large") ?? {};
    const left = await createArtifactStore(system.bus).get(PlanId.parse(store), file?.artifact ?? "");
    expect(left?.bytes).toBe(large.length);
  });

  it("returns 404 for another tenant's upload, and 409 for a source of the installation", async () => {
    await using gateway = await start();
    expect((await upload(gateway, ADA, "hers")).status).toBe(201);
    for (const name of ["hers", "ada/hers", "../hers", "none"]) {
      const refused = await remove(gateway, BOB, name);
      expect([name, refused.status, await refused.json()]).toMatchObject([
        name,
        404,
        { code: "source_not_found", detail: `there is no data source ${JSON.stringify(name)}` },
      ]);
    }
    expect(await namesOf(gateway, ADA)).toContain("hers upload");
    for (const [name, how] of [
      ["demo", "PLANWRIGHT_UPLOADS"],
      ["live", "sources.json"],
    ] as const) {
      const refused = await remove(gateway, ADA, name);
      expect([refused.status, await refused.json()]).toMatchObject([
        409,
        { code: "source_configured", detail: expect.stringContaining(how) },
      ]);
      expect(await namesOf(gateway, ADA)).toContain(`${name} configuration`);
    }
  });

  it("deletes an upload that a source of the installation hides", async () => {
    await using gateway = await start();
    expect((await upload(gateway, BOB, "hidden")).status).toBe(201);
    const local = { path: "/x", host: "h", config: "/x/sources.json" };
    await registry.put("hidden", { name: "hidden", tenant: null, kind: "csv", files: [], local });
    await expect.poll(() => namesOf(gateway, BOB)).toContain("hidden configuration");
    expect((await remove(gateway, BOB, "hidden")).status).toBe(204);
    expect((await remove(gateway, BOB, "hidden")).status).toBe(409);
    await registry.remove("hidden");
    await expect.poll(() => namesOf(gateway, BOB)).not.toContain("hidden configuration");
    expect(await namesOf(gateway, BOB)).not.toContain("hidden upload");
  });
});
