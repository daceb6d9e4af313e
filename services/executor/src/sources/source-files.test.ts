import { PlanId } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import type { Registry } from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { type DataSource, sourceKey } from "@planwright/shared/tools";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSourceFiles } from "./source-files.ts";
import { sweepCopies } from "./sweep-copies.ts";

const log = createLogger({ name: "test", level: "silent" });
const { signal } = new AbortController();
let folder: string;
let entries: Map<string, DataSource>;
let stored: Map<string, string>;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "planwright-copies-"));
  entries = new Map();
  stored = new Map();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The part of the bus that the executor uses; any other call fails the test. */
const none = (): never => {
  throw new Error("not part of this test");
};
const registry: Registry<DataSource> = {
  entries: () => entries,
  put: none,
  replace: none,
  remove: none,
  onChange: none,
  until: none,
  [Symbol.asyncDispose]: none,
};
const artifacts: ArtifactStore = {
  put: none,
  list: none,
  remove: none,
  removeAll: none,
  async get(store, name) {
    const text = stored.get(`${store}/${name}`);
    const content = Buffer.from(text ?? "");
    return text === undefined ? undefined : { name, contentType: "text/csv", bytes: content.length, content };
  },
};

function add(name: string, tenant: string | null | undefined, text: string): DataSource {
  const store = PlanId.parse(`data-${entries.size}`);
  stored.set(`${store}/f.csv`, text);
  const file = { fileName: "f.csv", artifact: "f.csv", bytes: text.length, sha256: "the-same" };
  const source: DataSource = { name, tenant, kind: "csv", files: [file], store, tables: [] };
  entries.set(sourceKey(source), source);
  return source;
}

const files = () => createSourceFiles({ registry, artifacts, folder });
async function read(tenant: string, name: string): Promise<string | undefined> {
  const opened = await files().catalog({ tenant }).open(name, { signal });
  return opened === undefined ? undefined : readFile(opened.path, "utf8");
}

it("opens the tenant's own upload and the installation's data, and nothing of another tenant", async () => {
  add("demo", null, "demo");
  add("sales", "ada", "adas");
  add("sales", "bob", "bobs");
  add("secret", "ada", "hers");
  // The content has the same digest, but each tenant has its own copy anyway.
  expect(await read("ada", "sales")).toBe("adas");
  expect(await read("bob", "sales")).toBe("bobs");
  expect(await read("bob", "demo")).toBe("demo");
  for (const name of ["secret", "ada/secret", "Secret", "../secret", "default/secret"]) {
    expect([name, await read("bob", name)]).toEqual([name, undefined]);
  }
  const listed = await files().catalog({ tenant: "bob" }).list();
  expect(listed.map(({ name }) => name)).toEqual(["demo", "sales"]);
});

it("does not let an upload replace a source of the installation", async () => {
  add("demo", null, "demo");
  add("demo", "ada", "mine");
  expect(await read("ada", "demo")).toBe("demo");
});

it("retries a step while an upload of an earlier version has no owner", async () => {
  add("old", undefined, "old");
  await expect(read("ada", "old")).rejects.toMatchObject({ name: "TransientError" });
});

it("retries a step when its data was replaced during the fetch, and fails when it is lost", async () => {
  const lost = add("lost", "ada", "x");
  stored.clear();
  await expect(read("ada", "lost")).rejects.toMatchObject({ code: "source_lost" });
  entries.clear();
  await expect(files().fetch(lost)).rejects.toMatchObject({ name: "TransientError" });
});

it("removes the copies of deleted data, and keeps the others", async () => {
  const gone = add("gone", "ada", "x");
  add("kept", "ada", "y");
  await read("ada", "gone");
  await read("ada", "kept");
  await using _sweep = sweepCopies({ registry, folder, log, everyMs: 1 });
  entries.delete(sourceKey(gone));
  await expect.poll(() => readdir(folder)).toHaveLength(1);
  expect(await read("ada", "kept")).toBe("y");
});
