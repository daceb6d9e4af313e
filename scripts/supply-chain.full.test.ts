// The real pnpm, against a registry with scripted advisories.
import { once } from "node:events";
import { copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { VERSION } from "@planwright/shared/version";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { auditFaults, writeBillOfMaterials } from "./publish/supply-chain.ts";

const ROOT = path.dirname(import.meta.dirname);
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-supply-chain-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

const Bill = z.object({
  bomFormat: z.literal("CycloneDX"),
  components: z.array(z.looseObject({ name: z.string(), version: z.string() })),
});
const advisory = (severity: string) => ({
  id: 1,
  url: "https://example.org/advisory",
  title: "it is not safe",
  severity,
  vulnerable_versions: "<99",
  cwe: [],
  cvss: { score: 9, vectorString: null },
});

/** A registry that answers a query for advisories with this one about zod. */
async function registryWith(status: number, about: readonly object[]) {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ zod: about }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("wanted a port");
  for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"])
    await copyFile(path.join(ROOT, file), path.join(folder, file));
  await writeFile(path.join(folder, ".npmrc"), `registry=http://127.0.0.1:${address.port}/\n`);
  return { [Symbol.asyncDispose]: async () => void (await new Promise((end) => server.close(end))) };
}

it("lists everything that the lockfile installs, with its version", async () => {
  const file = await writeBillOfMaterials(ROOT, { version: VERSION, into: folder });
  expect(path.basename(file)).toBe(`planwright-${VERSION}.cdx.json`);
  const { components } = Bill.parse(JSON.parse(await readFile(file, "utf8")));
  const lockfile = await readFile(path.join(ROOT, "pnpm-lock.yaml"), "utf8");
  for (const name of ["zod", "fastify", "jose"]) {
    const { version = "" } = components.find((component) => component.name === name) ?? {};
    expect(lockfile).toContain(`${name}@${version}`);
  }
});

it("reports a severe advisory, which blocks a release", async () => {
  await using _registry = await registryWith(200, [advisory("critical")]);
  expect(await auditFaults(folder)).toEqual([
    "zod: critical, it is not safe (https://example.org/advisory): update it",
  ]);
});

it.each([
  ["of less weight", 200, [advisory("moderate")], []],
  ["that the registry keeps to itself", 405, [], [expect.stringContaining("the registry does not report")]],
])("passes, or reports advisories: %s", async (_, status, about, faults) => {
  await using _registry = await registryWith(status, about);
  expect(await auditFaults(folder)).toEqual(faults);
});
