/** `npm start` as a user has it: the real services under the real supervisor, on a separate folder. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { createClient, noteStart } from "@planwright/testkit";
import { expect, vi } from "vitest";

const UP = path.resolve(import.meta.dirname, "../../scripts/up.mjs");
const READY_WITHIN_MS = 60_000;
/** What would name another server, another model or another address than those of this test. */
const FOREIGN = /^(NATS_URL|OPENAI_|PLANNER_|EXECUTOR_|REFLECTOR_|OTEL_|PLANWRIGHT_API_KEYS|HOST|PORT)/;

export async function temporaryData() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "planwright-up-"));
  return { dataDir, [Symbol.asyncDispose]: () => rm(dataDir, { recursive: true, force: true }) };
}

function ownEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !FOREIGN.test(name)));
}

export const BY_NODE = [process.execPath, UP, "start"] as const;
export const BY_NPM = ["npm", "start", "--"] as const;

/** Runs the command and waits until it is ready; disposing it stops it as Ctrl-C does. */
export async function start(
  dataDir: string,
  args: readonly string[],
  [file, ...command]: readonly [string, ...string[]] = BY_NODE,
) {
  // As much as those of `startSystem`.
  for (const what of ["whole system", "nats-server"] as const) noteStart(what);
  const child = spawn(file, [...command, "--port", "0", "--data", dataDir, ...args], {
    cwd: path.dirname(path.dirname(UP)),
    env: { ...ownEnvironment(), NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const ended = once(child, "close");
  const stop = async (signal: NodeJS.Signals = "SIGINT"): Promise<number | null> => {
    child.kill(signal);
    // Its output ends when the last process that could write to it has ended.
    await ended;
    return child.exitCode;
  };
  try {
    await vi.waitUntil(() => /ready in/.test(printed) || child.exitCode !== null, {
      timeout: READY_WITHIN_MS,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  const url = /ready in \S+ s: (\S+)/.exec(printed)?.[1];
  expect(url, printed).toBeDefined();
  return {
    url: url ?? "",
    client: createClient(url ?? ""),
    pid: child.pid ?? 0,
    printed: () => printed,
    stop,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) await stop();
    },
  };
}

/**
 * Lines that a user would worry about. npm's messages about its settings do not count, and neither is a span that ends
 * while the gateway closes its receiver, or has too much to do to take it.
 */
function alarmsIn(printed: string): string[] {
  const alarms = printed.split("\n").filter((line) => /error|warn/i.test(line));
  return alarms.filter((line) => !/^npm |^[\w-]+ +warn: traces cannot be delivered/.test(line));
}

export async function expectNothingRuns(dataDir: string, printed: string): Promise<void> {
  expect(printed).toMatch(/^planwright stopped$/m);
  const natsPid = Number(await readFile(path.join(dataDir, "nats", "nats-server.pid"), "utf8"));
  expect(() => process.kill(natsPid, 0)).toThrow("ESRCH");
}

/** Plans and data can be read by their owner alone. */
async function expectPrivate(dataDir: string): Promise<void> {
  const names = await readdir(dataDir, { recursive: true });
  const open: string[] = [];
  for (const name of [".", ...names]) {
    const { mode } = await stat(path.join(dataDir, name));
    if ((mode & 0o077) !== 0) open.push(`${name} ${(mode & 0o777).toString(8)}`);
  }
  expect(names.length).toBeGreaterThan(10);
  expect(open).toEqual([]);
}

type Started = Awaited<ReturnType<typeof start>>;

/** Lets it answer and show its dashboard. */
async function expectAnswer(system: Started): Promise<void> {
  expect((await fetch(new URL("readyz", system.url))).status).toBe(200);
  const say = { id: "say", tool: "flow.echo", args: { value: "said" } };
  const said = await system.client.submit({ goal: "say it", plan: { steps: [say], answerFrom: "say" } });
  expect(await system.client.ended(said.planId)).toMatchObject({
    status: "succeeded",
    answer: { text: "said" },
  });
  await expect.poll(async () => (await fetch(system.url)).text()).toMatch(/<script type="module"/);
  expect(system.printed()).not.toContain("could not build the dashboard");
}

/** Stops it as Ctrl-C does. @returns The exit code. */
async function stopQuietly(system: Started): Promise<number | null> {
  const exitCode = await system.stop();
  expect(alarmsIn(system.printed())).toEqual([]);
  await expect(fetch(new URL("readyz", system.url))).rejects.toThrow();
  return exitCode;
}

/** A data folder as an earlier version left it. */
async function readableData() {
  const data = await temporaryData();
  await chmod(data.dataDir, 0o755);
  return data;
}

/** Runs `npm start`, lets it answer, and stops it. @returns The exit code. */
export async function startOnce(): Promise<number | null> {
  await using data = await readableData();
  await using system = await start(data.dataDir, [], BY_NPM);
  await expectAnswer(system);
  const exitCode = await stopQuietly(system);
  await expectNothingRuns(data.dataDir, system.printed());
  await expectPrivate(data.dataDir);
  return exitCode;
}

/**
 * Starts it, lets it answer and show its dashboard, stops it in the middle of a plan, starts it again to finish the plan, and stops it for
 * good. Each of them is held to what a user expects.
 *
 * @returns The exit codes of both.
 */
export async function startAndRestart({
  args,
  argsAgain,
  signal,
}: {
  readonly args: readonly string[];
  readonly argsAgain: readonly string[];
  readonly signal: NodeJS.Signals;
}): Promise<(number | null)[]> {
  const exitCodes: (number | null)[] = [];
  await using data = await readableData();
  let planId = "";
  {
    await using system = await start(data.dataDir, args);
    await expectAnswer(system);
    const steps = [
      { id: "slow", tool: "flow.wait", args: { ms: 2_000, value: "waited" } },
      { id: "join", tool: "flow.echo", args: { value: "{{slow.output}} and joined" } },
    ];
    ({ planId } = await system.client.submit({
      goal: "wait and join",
      plan: { steps, answerFrom: "join" },
    }));
    for await (const { event } of system.client.events(planId)) if (event.type === "step.started") break;
    exitCodes.push(await stopQuietly(system));
  }
  await using system = await start(data.dataDir, argsAgain, BY_NPM);
  expect(await system.client.ended(planId)).toMatchObject({
    status: "succeeded",
    answer: { text: "waited and joined" },
  });
  exitCodes.push(await system.stop(signal));
  await expectNothingRuns(data.dataDir, system.printed());
  await expectPrivate(data.dataDir);
  return exitCodes;
}
