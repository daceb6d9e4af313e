// The operating system's wall around child processes, alone: the child here has neither Node's permissions nor a separate sandbox
// around it, and calls the kernel directly. If the machine permits no wall, the run reports it ("wall around child processes: NOT
// TESTED"); how an executor behaves then is tested in src/wall/open-wall.test.ts.
import { once } from "node:events";
import { type ChildProcess, fork, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { PermanentError } from "@planwright/shared/errors";
import { CODE_PATHS } from "../src/child-pool/code-paths.ts";
import { type ChildPool, createChildPool } from "../src/child-pool/create-child-pool.ts";
import { type AttackedServers, startAttackedServers } from "../src/child-pool/testing/attacked-servers.ts";
import { ATTACK_NAMES, type AttackName } from "../src/child-pool/testing/attacks.ts";
import { NATIVE_ATTACK_NAMES } from "../src/child-pool/testing/native-attacks.ts";
import { createSourceWriter } from "../src/sql/source-writer.ts";
import { createSqlRunner } from "../src/sql/sql-runner.ts";
import type { JsonObject } from "@planwright/plan";
import { createSandbox } from "../src/sandbox/sandbox.ts";
import { tempFolder } from "../src/testing/temp-folder.ts";
import { findWall } from "../src/wall/open-wall.ts";
import { SCRATCH_BYTES_MAX } from "../src/wall/wall.ts";

const SECRET = JSON.stringify({ password: "correct horse" });
const reach = { folders: CODE_PATHS.filter((path) => existsSync(path)), writable: false };
const patient = { reach, signal: new AbortController().signal, timeoutMs: 60_000 };
const found = await findWall({ bin: process.env["BWRAP_BIN"] || undefined, searchPath: process.env["PATH"] });
const wall = "wall" in found ? found.wall : undefined;

/** They succeed, but reach nothing outside of the child's own process. */
const HARMLESS: ReadonlySet<AttackName> = new Set<AttackName>([
  "start a program by Node's own binding",
  "reach files by Node's own binding",
  "load a native library",
  "load a library by SQLite",
  "call a native library",
  "run WebAssembly with files",
  "debug itself",
]);

describe.skipIf(wall === undefined)("behind the wall alone", () => {
  let pool: ChildPool;
  let servers: AttackedServers;
  let target: Record<string, string | number>;
  let victim: ChildProcess;
  // Not in the temporary folder: a child has its own, which is writable.
  const folder = mkdtempSync(join(homedir(), ".planwright-test-"));
  const secret = join(folder, "secret.json");
  writeFileSync(secret, SECRET, { mode: 0o644 });

  beforeAll(async () => {
    pool = createChildPool({
      entry: new URL("../src/child-pool/testing/unguarded-child.ts", import.meta.url),
      // Every call reaches its code anyway; a path here would become a Node permission option, which needs Node's permissions.
      readablePaths: [],
      memoryMb: 256,
      size: 1,
      usesSqlite: true,
      wall,
      flags: ["--no-permission", "--no-allow-worker", "--addons", "--experimental-ffi"],
    });
    servers = await startAttackedServers();
    const { port, socket } = servers;
    victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
    const { pid = 0 } = victim;
    target = { secret, folder, port, socket, victim: pid, parent: process.pid };
  });
  afterAll(async () => {
    pool?.[Symbol.dispose]();
    victim?.kill("SIGKILL");
    await servers?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it.each(ATTACK_NAMES)("a child does not %s", async (attack) => {
    const got = await pool.call({ attack, ...target }, patient).catch((error: unknown) => error);
    const isHeld = got instanceof PermanentError;
    expect([isHeld, got]).toEqual([!HARMLESS.has(attack), got]);
    expect(JSON.stringify(got)).not.toContain("correct horse");
    expect(readFileSync(secret, "utf8")).toBe(SECRET);
    expect(statSync(secret).mode & 0o777).toBe(0o644);
    expect(readdirSync(folder)).toEqual(["secret.json"]);
    expect(existsSync(join(import.meta.dirname, "../src/child-pool/testing/never-written"))).toBe(false);
    expect([victim.exitCode, victim.signalCode]).toEqual([null, null]);
  });

  it.each(NATIVE_ATTACK_NAMES)("machine code does not %s", async (native) => {
    const request = { native, inHome: secret, parent: process.pid, scratchBytes: SCRATCH_BYTES_MAX };
    const got = await pool.call(request, patient).catch((error: unknown) => error);
    expect(got).toBeInstanceOf(PermanentError);
  });
});

/** Processes of this machine with this title in their command line. */
function runningAs(title: string): number[] {
  const isIts = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(title);
    } catch {
      return false; // It has exited in the meantime.
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isIts(name))
    .map(Number);
}

describe.skipIf(wall === undefined)("a pool behind the wall", () => {
  const entry = new URL("../src/child-pool/testing/misbehaving-child.ts", import.meta.url);
  const never = { signal: new AbortController().signal, timeoutMs: 60_000 };
  const open = (settings: { readonly memoryMb?: number; readonly flags?: readonly string[] } = {}) =>
    createChildPool({ entry, readablePaths: CODE_PATHS, memoryMb: 256, size: 1, wall, ...settings });

  it("kills everything at the deadline and serves the next call", async () => {
    const title = `planwright-deadline-${process.pid}`;
    using pool = open({ flags: [`--title=${title}`] });
    const spinning = pool.call("spin", { ...never, timeoutMs: 300 });
    await expect(spinning).rejects.toMatchObject({ code: "deadline_exceeded" });
    await vi.waitFor(() => expect(runningAs(title)).toEqual([]), 10_000);
    await expect(pool.call("after", never)).resolves.toEqual({ echoed: "after" });
    expect(runningAs(title)).not.toEqual([]);
  });

  it.each(["hoard native memory", "hoard objects"])(
    "identifies a child that ran out of memory: %s",
    async (how) => {
      using pool = open({ memoryMb: 96 });
      await expect(pool.call(how, never)).rejects.toMatchObject({ code: "out_of_memory" });
    },
  );

  it("reports how a child ended unexpectedly", async () => {
    using pool = open();
    await expect(pool.call("exit", never)).rejects.toThrow("exit code 3");
  });

  it("reports why bubblewrap could not start a child", async () => {
    const broken = wall === undefined ? wall : { ...wall, runtime: ["/no/such/library"] };
    using pool = createChildPool({ entry, readablePaths: CODE_PATHS, memoryMb: 256, size: 1, wall: broken });
    const refused: unknown = await pool.call("pid", never).catch((error: unknown) => error);
    expect(String(refused instanceof Error ? refused.cause : refused)).toContain("/no/such/library");
  });

  it("leaves no child behind when the parent is killed while a child is stuck", async () => {
    const title = `planwright-orphan-${process.pid}`;
    const script = new URL("../src/child-pool/testing/abandoning-parent.ts", import.meta.url);
    const parent = fork(script, [wall?.bin ?? "", title], { stdio: "ignore" });
    onTestFinished(() => void parent.kill("SIGKILL"));
    await once(parent, "message");
    parent.kill("SIGKILL");
    await vi.waitFor(() => expect(runningAs(title)).toEqual([]), 10_000);
  });
});

describe.skipIf(wall === undefined)("the tools behind the wall", () => {
  it("run programs that call tools", async () => {
    using sandbox = createSandbox({}, wall);
    const program = {
      language: "javascript",
      code: "return tools.add({ n: input })",
      input: 2,
      tools: ["add"],
      nowMs: 0,
    } as const;
    const callTool = async (_tool: string, { n }: JsonObject) => ({ output: Number(n) + 1 });
    const { end } = await sandbox.run(program, { signal: patient.signal, callTool });
    expect(end).toEqual({ ok: true, value: 3 });
  });

  it("read sources of different folders in turn (CHILD-4)", async () => {
    using sources = tempFolder();
    const [ada, bob] = ["ada", "bob"].map((name) => sources.write(`${name}/${name}.csv`, `owner\n${name}\n`));
    using sql = createSqlRunner({ wall });
    const ask = (name: string, path = "") =>
      sql.query({ source: { name, kind: "csv", path }, sql: `SELECT owner FROM ${name}` }, patient);
    for (const [name, path] of [
      ["ada", ada],
      ["bob", bob],
      ["ada", ada],
    ] as const)
      expect((await ask(name, path)).rows).toEqual([{ owner: name }]);
  });

  it("read and change a database with a write-ahead log in place", async () => {
    using sources = tempFolder();
    const path = join(sources.path, "shop.db");
    using database = new DatabaseSync(path);
    database.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)",
    );
    database.close();
    using sql = createSqlRunner({ wall });
    const source = { name: "shop", kind: "sqlite", path, live: true } as const;
    expect((await sql.query({ source, sql: "SELECT count(*) AS n FROM t" }, patient)).rows).toEqual([
      { n: 1 },
    ]);
    using writer = createSourceWriter(wall);
    expect(await writer.hasEffect({ name: "shop", path, effectKey: "k" }, patient)).toBe(false);
  });
});
