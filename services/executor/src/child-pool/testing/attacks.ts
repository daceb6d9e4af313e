/**
 * Attacks that tests run in a child's own process. Each returns what it got hold of, and throws if something stopped it. All
 * target files, processes and ports that the test created.
 */
import { execSync, fork, spawnSync } from "node:child_process";
import cluster from "node:cluster";
import dgram from "node:dgram";
import dns from "node:dns/promises";
import { once } from "node:events";
import fs from "node:fs";
import { createRequire, enableCompileCache, registerHooks } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import nodeProcess from "node:process";
import type * as sqlite from "node:sqlite";
import v8 from "node:v8";
import { SHARE_ENV, Worker, type WorkerOptions } from "node:worker_threads";
import { z } from "zod";

const WAIT_MS = 5_000;

const What = z.object({
  /** A file that no child may read. */
  secret: z.string(),
  /** A folder that no child may write to. */
  folder: z.string(),
  /** Port of a server on the loopback interface. */
  port: z.int(),
  /** Path of a server's Unix socket. */
  socket: z.string(),
  /** Pid of a process that waits to be killed. */
  victim: z.int(),
  /** Pid of the executor. */
  parent: z.int(),
});
type What = z.infer<typeof What>;

type Attack = (what: What) => unknown;

const FILES = {
  "read a secret": ({ secret }) => fs.readFileSync(secret, "utf8"),
  "read a secret asynchronously": ({ secret }) => fs.promises.readFile(secret, "utf8"),
  "read a secret by its bytes": ({ secret }) => fs.readFileSync(Buffer.from(secret), "utf8"),
  "read a secret by way of a folder of code": ({ secret }) =>
    fs.readFileSync(`${import.meta.dirname}${"/..".repeat(20)}${secret}`, "utf8"),
  "read a secret by the root of its process": ({ secret }) =>
    fs.readFileSync(`/proc/self/root${secret}`, "utf8"),
  "read a secret as a module": async ({ secret }) =>
    JSON.stringify(await import(secret, { with: { type: "json" } })),
  "read a secret as settings": ({ secret }) => process.loadEnvFile(secret),
  "read a secret as a required module": ({ secret }): unknown => createRequire(import.meta.url)(secret),
  "list a folder of secrets": ({ folder }) => fs.readdirSync(folder),
  "write a file": ({ folder }) => fs.writeFileSync(path.join(folder, "written"), "x"),
  "write beside its code": () => fs.writeFileSync(path.join(import.meta.dirname, "never-written"), "x"),
  "delete a secret": ({ secret }) => fs.rmSync(secret),
  "open a secret to everybody": ({ secret }) => fs.chmodSync(secret, 0o777),
  "link to a secret": ({ secret, folder }) => fs.symlinkSync(secret, path.join(folder, "linked")),
  "write a heap snapshot": ({ folder }) => v8.writeHeapSnapshot(path.join(folder, "written.heapsnapshot")),
  "write a report": ({ folder }) => {
    nodeProcess.report.directory = folder;
    const written = nodeProcess.report.writeReport("written.json");
    if (written === "") throw new Error("nothing is written");
    return written;
  },
  "write compiled code": ({ folder }) => {
    enableCompileCache(path.join(folder, "written"));
    return fs.readdirSync(path.join(folder, "written"));
  },
} satisfies Record<string, Attack>;

const SQLITE = {
  "write a file by SQLite": async ({ folder }) => {
    const { DatabaseSync } = await import("node:sqlite");
    using database = new DatabaseSync(path.join(folder, "written.db"));
    return database.exec("CREATE TABLE t (a)");
  },
  "attach a file by SQLite": async ({ folder }) => {
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    using database = new DatabaseSync(":memory:");
    return database.exec(`ATTACH '${path.join(folder, "written.db")}' AS t; CREATE TABLE t.t (a)`);
  },
  "load a library by SQLite": () => {
    const required: unknown = createRequire(import.meta.url)("node:sqlite");
    const { DatabaseSync } = required as typeof sqlite;
    using database = new DatabaseSync(":memory:", { allowExtension: true });
    return loaded(() => database.loadExtension("libc.so.6"));
  },
} satisfies Record<string, Attack>;

const WORKERS = {
  "read a secret in a worker": ({ secret }) => readInWorker(secret, {}),
  "read a secret in a worker without options": ({ secret }) => readInWorker(secret, { execArgv: [] }),
  "read a secret in a worker with options of its own": ({ secret }) =>
    readInWorker(secret, { execArgv: ["--no-permission"] }),
  "read a secret in a worker with the environment of the process": ({ secret }) =>
    readInWorker(secret, { execArgv: [], env: SHARE_ENV }),
  "read a secret in a hook of modules": ({ secret }) => {
    let text = "";
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === "a secret"
          ? {
              url: `file://${secret}`,
              format: "json",
              shortCircuit: true,
              importAttributes: { type: "json" },
            }
          : next(specifier, context),
      load: (url, context, next) => {
        const loaded = next(url, context);
        if (typeof loaded.source === "string" || loaded.source instanceof Uint8Array)
          text = Buffer.from(loaded.source).toString();
        return loaded;
      },
    });
    createRequire(import.meta.url)("a secret");
    return text;
  },
} satisfies Record<string, Attack>;

const NETWORK = {
  "connect to a server of this machine": ({ port }) => connected(net.connect(port, "127.0.0.1")),
  "connect to a server of this machine by IPv6": ({ port }) =>
    connected(net.connect(port, "::ffff:127.0.0.1")),
  "connect to a server by a socket in the file system": ({ socket }) => connected(net.connect(socket)),
  "fetch from a server of this machine": async ({ port }) =>
    (await fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(WAIT_MS) })).status,
  "open a WebSocket": async ({ port }) => {
    const opened = await new Promise((resolve) => {
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      socket.onopen = () => resolve(true);
      socket.onerror = () => resolve(false);
    });
    if (opened !== true) throw new Error("it does not open");
    return opened;
  },
  "send a datagram": async ({ port }) => {
    const socket = dgram.createSocket("udp4");
    socket.send("x", port, "127.0.0.1", (error) => socket.emit(error === null ? "sent" : "error", error));
    return once(socket, "sent");
  },
  "listen on a port": () => once(net.createServer().listen(0, "127.0.0.1"), "listening"),
  "listen on a socket in the file system": ({ folder }) =>
    once(net.createServer().listen(path.join(folder, "listening")), "listening"),
  "ask for an address": async () => (await dns.lookup("localhost")).address,
} satisfies Record<string, Attack>;

const ENVIRONMENT = {
  "read the environment": () => ownVariables(process.env),
  "read the environment of its process": () => variablesIn("/proc/self/environ"),
  "read the environment of its parent": ({ parent }) => variablesIn(`/proc/${parent}/environ`),
  "read the environment of whoever started it": () => variablesIn(`/proc/${process.ppid}/environ`),
  "read the command line of its parent": ({ parent }) => fs.readFileSync(`/proc/${parent}/cmdline`, "utf8"),
} satisfies Record<string, Attack>;

const SIGNALS = {
  "kill another process": ({ victim }) => process.kill(victim, "SIGKILL"),
  "look for its parent": ({ parent }) => process.kill(parent, 0),
  "signal by the module of processes": async ({ victim }) => {
    const module = await import("node:process");
    return module.kill(victim, "SIGKILL");
  },
  "signal by Node's own function": ({ victim }) => {
    const kill: unknown = Reflect.get(process, "_kill");
    if (typeof kill !== "function") throw new Error("there is no such function");
    return refused(Reflect.apply(kill, process, [victim, 9]));
  },
  "open the debugger of another process": ({ victim }) => {
    const open: unknown = Reflect.get(process, "_debugProcess");
    if (typeof open !== "function") throw new Error("there is no such function");
    return String(Reflect.apply(open, process, [victim]));
  },
  "slow its parent down": ({ victim }) => {
    os.setPriority(victim, 19);
    return os.getPriority(victim);
  },
} satisfies Record<string, Attack>;

const PROCESSES = {
  "start a program": () => done(spawnSync("/bin/true")),
  "start a shell": () => execSync("true"),
  "start a child of Node's": () => once(fork(import.meta.filename), "spawn"),
  "start a child of a cluster": () => once(cluster.fork(), "online"),
  "become another program": () => process.execve?.("/bin/true", []),
  "start a program by Node's own binding": () => binding("spawn_sync"),
  "reach files by Node's own binding": () => binding("fs"),
  "load a native library": () => loaded(() => process.dlopen({ exports: {} }, "libc.so.6")),
  "call a native library": async () => {
    // Not available in every Node version that this runs on.
    const { dlopen } = (await import(String("node:ffi"))) as {
      dlopen: (name: string, of: object) => unknown;
    };
    return dlopen("libc.so.6", { getpid: { result: "i32", parameters: [] } });
  },
  "run WebAssembly with files": async () => {
    const { WASI } = await import("node:wasi");
    return new WASI({ version: "preview1", preopens: { "/": "/" } });
  },
  "debug itself": async () => {
    const { Session } = await import("node:inspector");
    new Session().connect();
    return "connected";
  },
  "open a port for its debugger": async () => {
    const inspector = await import("node:inspector");
    inspector.open(0);
    const url = inspector.url();
    if (url === undefined) throw new Error("it does not open");
    return url;
  },
} satisfies Record<string, Attack>;

export const ATTACKS = {
  ...FILES,
  ...SQLITE,
  ...WORKERS,
  ...NETWORK,
  ...ENVIRONMENT,
  ...SIGNALS,
  ...PROCESSES,
};
export type AttackName = keyof typeof ATTACKS;
export const ATTACK_NAMES = Object.keys(ATTACKS) as AttackName[];

export const Target = What.extend({ attack: z.enum(ATTACK_NAMES) });

/** Counts as loaded even if the library is of another kind: its first function has run by then. */
function loaded(load: () => unknown): unknown {
  try {
    return load();
  } catch (error) {
    if (error instanceof Error && /did not self-register|undefined symbol/.test(error.message))
      return error.message;
    throw error;
  }
}

async function readInWorker(secret: string, options: WorkerOptions): Promise<unknown> {
  const code = `require("worker_threads").parentPort.postMessage(require("fs").readFileSync(${JSON.stringify(secret)}, "utf8"))`;
  const worker = new Worker(code, { ...options, eval: true });
  return (await once(worker, "message"))[0];
}

async function connected(socket: net.Socket): Promise<string> {
  await once(socket, "connect");
  socket.destroy();
  return "connected";
}

/** Node tells each child where to reach its parent, and a wall adds two variables; any others were inherited. */
function ownVariables(variables: NodeJS.ProcessEnv): string {
  const names = Object.keys(variables).filter((name) => !/^(NODE_CHANNEL_\w+|TZ|PWD)$/.test(name));
  if (names.length === 0) throw new Error("it is empty");
  return names.join(", ");
}

function variablesIn(file: string): string {
  const lines = fs.readFileSync(file, "utf8").split("\0");
  const names = lines.filter((line) => line !== "").map((line) => line.slice(0, line.indexOf("=")));
  return ownVariables(Object.fromEntries(names.map((name) => [name, ""])));
}

function refused(code: unknown): unknown {
  if (code !== 0) throw new Error(`refused with ${String(code)}`);
  return code;
}

function done({ error, status }: ReturnType<typeof spawnSync>): unknown {
  if (error !== undefined) throw error;
  return status;
}

function binding(name: string): unknown {
  const bind: unknown = Reflect.get(process, "binding");
  if (typeof bind !== "function") throw new Error("there is no such function");
  const bound: unknown = Reflect.apply(bind, process, [name]);
  return typeof bound;
}
