// What the image copies and installs is enough for every service: the same files and the same installation, in a folder.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { connectBus, provision } from "@planwright/shared/bus";
import { startNats } from "@planwright/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DOCKERFILE, isIgnored, ROOT, sourcesOf, stagesOf } from "./support/dockerfile.ts";

const SERVICES = ["planner", "executor", "reflector", "gateway"];
const INSTALL_WITHIN_MS = 240_000;

let work: string;
let app: string;

beforeAll(async () => {
  work = await mkdtemp(path.join(os.tmpdir(), "planwright-image-"));
  app = path.join(work, "app");
  const stages = stagesOf(DOCKERFILE);
  const image = stages.at(-1);
  if (image === undefined) throw new Error("the Dockerfile has no stage");
  const filter = (file: string) => !isIgnored(path.relative(ROOT, file));
  for (const source of sourcesOf(image, stages)) {
    await cp(path.join(ROOT, source), path.join(app, source), { recursive: true, filter });
  }
  const install = image.runs.find((run) => run.includes("pnpm install"));
  if (install === undefined) throw new Error("the image installs nothing");
  const PATH = [path.dirname(process.execPath), process.env["PATH"]].join(path.delimiter);
  await promisify(execFile)("sh", ["-c", install], {
    cwd: app,
    env: { ...process.env, PATH, CI: "true", NODE_ENV: "production" },
    timeout: INSTALL_WITHIN_MS,
    maxBuffer: 64 * 1024 * 1024,
  });
}, INSTALL_WITHIN_MS);

afterAll(() => rm(work, { recursive: true, force: true }));

it.each(SERVICES)("starts the %s from the image's content, and stops it", async (service) => {
  await using nats = await startNats();
  // As the compose file's own container does before the services start.
  await using bus = await connectBus({ url: nats.url, name: "provision" });
  await provision(bus);
  const child = spawn(process.execPath, [`services/${service}/src/main.ts`], {
    cwd: app,
    // Nothing of this repository's environment may be needed.
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
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
