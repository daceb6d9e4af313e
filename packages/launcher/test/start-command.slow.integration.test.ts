// The supervisor as users run it: a process that receives signals, with a real nats-server and fixture services that only report
// that they are ready.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundleEntries } from "../src/bundle/index.ts";

const SERVICES = ["planner", "executor", "reflector", "gateway"];
/** Bundled like the services under `npm start`: from source, one run would take three times the processor time. */
const bundled = path.resolve("node_modules/.cache", `start-fixture-${process.pid}`);
beforeAll(async () => {
  await mkdir(bundled, { recursive: true });
  await bundleEntries({ root: import.meta.dirname, entries: { start: "fixture/start.ts" }, folder: bundled });
});
afterAll(() => rm(bundled, { recursive: true, force: true }));
/** As with `npm start`: runs share compiled code. */
const COMPILE_CACHE = path.resolve("node_modules/.cache/node");

type Run = {
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Everything printed so far. */
  readonly printed: () => string;
  /** The current process id of a service, or of "nats-server". */
  readonly pidOf: (name: string) => Promise<number>;
  readonly exitCode: () => Promise<number | null>;
};

async function temporaryData() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "planwright-start-"));
  return { dataDir, [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }) };
}

/** Starts the supervisor; disposing kills everything that the test left running. */
function start(
  dataDir: string,
  { env = {}, args = ["--port", "0"] }: { env?: NodeJS.ProcessEnv; args?: string[] } = {},
): Run & AsyncDisposable {
  const child = spawn(process.execPath, [path.join(bundled, "start.js"), "--data", dataDir, ...args], {
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE, NATS_URL: "", NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (text += String(chunk)));
  const ended = once(child, "close");
  const pidOf = async (name: string) => {
    const file = name === "nats-server" ? "nats/nats-server.pid" : `${name}.pid`;
    return Number(await readFile(path.join(dataDir, file), "utf8").catch(() => "0"));
  };
  return {
    child,
    dataDir,
    pidOf,
    printed: () => text,
    async exitCode() {
      await ended;
      return child.exitCode;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
      for (const name of ["nats-server", ...SERVICES]) kill(await pidOf(name), "SIGKILL");
    },
  };
}

function kill(pid: number, signal: NodeJS.Signals): void {
  if (isRunning(pid)) process.kill(pid, signal);
}

/** Returns whether a process is running; a zombie is not. */
function isRunning(pid: number): boolean {
  try {
    if (pid <= 0 || !process.kill(pid, 0)) return false;
    if (!existsSync("/proc/self/stat")) return true;
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

async function ready(run: Run): Promise<number[]> {
  await expect.poll(run.printed).toContain("ready in");
  return Promise.all(["nats-server", ...SERVICES].map(run.pidOf));
}

async function allGone(pids: readonly number[]): Promise<void> {
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
}

it("prints its address when ready, and stops everything cleanly on SIGINT (SYSTEM-1)", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir);
  const pids = await ready(run);
  expect(run.printed()).toMatch(/^planwright ready in \d+\.\d s: http:\/\/127\.0\.0\.1:\d+\/$/m);
  expect(run.printed()).toContain("using the built-in demo model (rule-based)");
  expect(run.printed()).toMatch(/^planner {4}started nats=nats:\/\/127\.0\.0\.1:\d+$/m);

  run.child.kill("SIGINT");
  expect(await run.exitCode()).toBe(0);
  const stopped = [...run.printed().matchAll(/^(\w+) +stopped$/gm)].map(([, name]) => name);
  expect(new Set(stopped)).toEqual(new Set([...SERVICES, "planwright"]));
  // The gateway stops last: it receives the traces of the others.
  expect(stopped.slice(-2)).toEqual(["gateway", "planwright"]);
  for (const name of SERVICES)
    expect(await readFile(path.join(data.dataDir, `${name}.stopped`), "utf8")).toBe("before nats-server");
  await allGone(pids);
});

it("counts a Ctrl-C once, however often it is forwarded", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir);
  await ready(run);
  run.child.kill("SIGINT");
  run.child.kill("SIGTERM");
  run.child.kill("SIGINT");
  expect(await run.exitCode()).toBe(0);
  expect(run.printed()).toMatch(/^gateway +stopped$/m);
});

it("kills services that do not stop at the second Ctrl-C", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { env: { FIXTURE_EXECUTOR: "deaf" } });
  const pids = await ready(run);
  run.child.kill("SIGINT");
  await expect.poll(run.printed).toMatch(/^planner +stopped$/m);
  // The deaf service holds up the gateway, which stops last; a second signal counts half a second after the first.
  const deaf = await run.pidOf("executor");
  await expect.poll(() => isRunning(deaf) && run.child.kill("SIGINT"), { interval: 100 }).toBe(false);
  expect(await run.exitCode()).toBe(130);
  await allGone(pids);
});

it("reports that the port is in use and how to choose another, and starts nothing", async () => {
  await using data = await temporaryData();
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  await using run = start(data.dataDir, { args: [], env: { PORT: String(port) } });
  expect(await run.exitCode()).toBe(1);
  expect(run.printed()).toContain(`port ${port} on 127.0.0.1 is already in use`);
  expect(run.printed()).toContain(`PORT=${port + 1} npm start`);
  expect(await run.pidOf("nats-server")).toBe(0);
  server.close();
});

it("stops everything cleanly when the reader of its output is gone", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { env: { FIXTURE_GATEWAY: "talking" } });
  const pids = await ready(run);
  run.child.stdout?.destroy();
  run.child.stderr?.destroy();
  expect(await run.exitCode()).toBe(0);
  await allGone(pids);
});

it("refuses a data folder that another system is using", async () => {
  await using data = await temporaryData();
  await using first = start(data.dataDir);
  const pids = await ready(first);
  await using second = start(data.dataDir);
  expect(await second.exitCode()).toBe(1);
  expect(second.printed()).toContain(
    `already running on ${data.dataDir} (process ${first.child.pid}, at http://127.0.0.1:`,
  );
  expect(pids.every(isRunning)).toBe(true);
});

it("restarts a service that has crashed, and reports it", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir);
  await ready(run);
  const before = await run.pidOf("planner");
  kill(before, "SIGKILL");
  await expect.poll(() => run.pidOf("planner")).not.toBe(before);
  expect(run.printed()).toContain("planner crashed (SIGKILL): restarting it in 100 ms");
});

it("restarts nats-server on the same port when it crashes", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir);
  await ready(run);
  const before = await run.pidOf("nats-server");
  kill(before, "SIGKILL");
  await expect.poll(() => run.pidOf("nats-server")).not.toBe(before);
  expect(run.printed()).toContain("nats-server crashed");
  run.child.kill("SIGTERM");
  expect(await run.exitCode()).toBe(0);
});

it("stops everything when a service keeps crashing", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { env: { FIXTURE_REFLECTOR: "dying" } });
  expect(await run.exitCode()).toBe(1);
  expect(run.printed()).toContain("reflector keeps crashing (exit code 3)");
  await allGone(await Promise.all(["nats-server", ...SERVICES].map(run.pidOf)));
});

it("stops immediately when a service cannot start", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { env: { FIXTURE_EXECUTOR: "broken" } });
  expect(await run.exitCode()).toBe(1);
  expect(run.printed()).toMatch(/^executor +the settings are at fault$/m);
  expect(run.printed()).toContain("executor did not start (exit code 1)");
});

it("leaves no service running when it is killed, and stops its nats-server at the next start (SYSTEM-2)", async () => {
  await using data = await temporaryData();
  await using first = start(data.dataDir);
  const [natsPid = 0, ...services] = await ready(first);
  first.child.kill("SIGKILL");
  await first.exitCode();
  await allGone(services);
  expect(isRunning(natsPid)).toBe(true);

  await using second = start(data.dataDir);
  await ready(second);
  expect(second.printed()).toContain(`left running by an earlier start (process ${natsPid})`);
  await allGone([natsPid]);
});

it("syncs every message to disk with NATS_SYNC=always", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { env: { NATS_SYNC: "always" } });
  await ready(run);
  expect(run.printed()).toContain("syncing every message to disk");
  const config = await readFile(path.join(data.dataDir, "nats", "nats-server.conf"), "utf8");
  expect(JSON.parse(config)).toMatchObject({ jetstream: { sync_interval: "always" } });
});

it("uses the nats-server at NATS_URL instead of starting one", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { env: { NATS_URL: "nats://192.0.2.1:4222" } });
  await ready(run);
  await expect.poll(run.printed).toContain("NATS: nats://192.0.2.1:4222");
  expect(await run.pidOf("nats-server")).toBe(0);
});

it("runs and stops all services in its own process with --one-process", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { args: ["--port", "0", "--one-process"] });
  await ready(run);
  for (const name of SERVICES) expect(await run.pidOf(name)).toBe(0);
  run.child.kill("SIGINT");
  expect(await run.exitCode()).toBe(0);
  for (const name of SERVICES) expect(run.printed()).toMatch(new RegExp(`^${name} +stopped$`, "m"));
});

it.each([
  { fault: "broken", says: "the settings are at fault" },
  { fault: "dying", says: "executor ended unexpectedly" },
  { fault: "throwing", says: "a bug of a service" },
])("stops the single process and reports why when a service in it is $fault", async ({ fault, says }) => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, {
    args: ["--port", "0", "--one-process"],
    env: { FIXTURE_EXECUTOR: fault },
  });
  expect(await run.exitCode()).toBe(1);
  expect(run.printed()).toContain(says);
  expect(run.printed()).toMatch(/^planner +stopped$/m);
  await allGone([await run.pidOf("nats-server")]);
});

it("prints all lines as JSON with --json-logs, including its own", async () => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { args: ["--port", "0", "--json-logs"] });
  await ready(run);
  const lines = run.printed().trimEnd().split("\n");
  const names = lines.map((line) => (JSON.parse(line) as { name: string }).name);
  expect(new Set(names)).toEqual(new Set(["planwright", "nats", ...SERVICES]));
});

it.each([
  { args: ["--help"], code: 0, says: "--one-process" },
  { args: ["--nonsense"], code: 2, says: "--nonsense" },
  {
    args: ["--port", "99999"],
    code: 2,
    says: 'invalid --port (or PORT) "99999": use a whole number from 0 to 65535',
  },
  { args: [], env: { PORT: "http" }, code: 2, says: 'invalid --port (or PORT) "http": use a whole number' },
  { args: [], env: { NATS_SYNC: "yes" }, code: 2, says: 'invalid NATS_SYNC "yes": set it to "always"' },
])("exits with code $code for $args and prints $says", async ({ args, env = {}, code, says }) => {
  await using data = await temporaryData();
  await using run = start(data.dataDir, { args, env });
  expect(await run.exitCode()).toBe(code);
  expect(run.printed()).toContain(says);
});
