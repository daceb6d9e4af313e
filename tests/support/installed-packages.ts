/** The published packages as their users have them: built, packed, and installed by npm into a separate folder. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { vi } from "vitest";
import { type PackedPackage, packPackage } from "../../scripts/publish/pack-package.ts";
import { PUBLISHED } from "../../scripts/publish/published-packages.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const TSC = path.join(ROOT, "node_modules/typescript/bin/tsc");
const READY_WITHIN_MS = 120_000;
const OUTPUT_BYTES_MAX = 16 * 1_024 * 1_024;
/** As `tsc --init --strict` has it for a program of Node, whatever the repository's own settings are. */
const STRICT = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2023", "dom", "dom.iterable", "esnext.disposable"],
    module: "nodenext",
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
  },
};
const run = promisify(execFile);

export type Ran = { readonly code: number; readonly printed: string };

/** Packs published packages, by default all, into a temporary folder, which is removed when it is disposed. */
export async function packAll(
  names: readonly string[] = PUBLISHED.map(({ name }) => name),
): Promise<AsyncDisposable & { readonly packed: readonly PackedPackage[] }> {
  const into = await mkdtemp(path.join(os.tmpdir(), "planwright-packed-"));
  const { signal } = new AbortController();
  const packed: PackedPackage[] = [];
  for (const one of PUBLISHED.filter(({ name }) => names.includes(name)))
    packed.push(await packPackage(one, { root: ROOT, into, signal }));
  return { packed, [Symbol.asyncDispose]: () => rm(into, { recursive: true, force: true }) };
}

/** An empty project with these packages and what they depend on, from the registry that npm knows. */
export async function emptyProject(packed: readonly PackedPackage[], others: readonly string[] = []) {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-project-"));
  await writeFile(
    path.join(folder, "package.json"),
    JSON.stringify({ name: "mine", private: true, type: "module" }),
  );
  await writeFile(path.join(folder, "tsconfig.json"), JSON.stringify(STRICT));
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"];
  const wanted = [...packed.map(({ tarball }) => tarball), ...others];
  await run("npm", ["install", ...quiet, ...wanted], { cwd: folder, maxBuffer: OUTPUT_BYTES_MAX });
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  };
  return {
    folder,
    write,
    /** What the compiler says of the files; empty when they compile. */
    faults: async (files: readonly string[], more: object = {}): Promise<string> => {
      const compilerOptions = { ...STRICT.compilerOptions, ...more };
      await write("tsconfig.json", JSON.stringify({ compilerOptions, files }));
      return (await ran(process.execPath, [TSC, "--pretty", "false"], { cwd: folder })).printed;
    },
    run: (file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
      ran(file, args, { cwd: folder, env: ownEnvironment(env) }),
    planwright: (args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> =>
      ran(bin(folder), args, { cwd: folder, env: ownEnvironment(env) }),
    /** @param cwd - A folder of the project; itself by default. */
    start: (args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, cwd = ".") =>
      start({ folder, args, env, cwd: path.join(folder, cwd) }),
    environment: ownEnvironment,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Runs `planwright start` in the folder until it is ready; disposing it stops it. */
async function start({
  folder,
  args,
  env,
  cwd,
}: {
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}) {
  const child = spawn(bin(folder), ["start", "--port", "0", ...args], {
    cwd,
    env: ownEnvironment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const ended = once(child, "close");
  const stop = async (): Promise<number | null> => {
    child.kill("SIGINT");
    await ended;
    return child.exitCode;
  };
  const isOver = () => child.exitCode !== null;
  await vi.waitUntil(() => /ready in/.test(printed) || isOver(), { timeout: READY_WITHIN_MS });
  const url = /ready in \S+ s: (\S+)/.exec(printed)?.[1];
  if (url === undefined) throw new Error(`planwright start did not start:\n${printed}`);
  return {
    url,
    printed: () => printed,
    stop,
    async [Symbol.asyncDispose]() {
      if (!isOver()) await stop();
    },
  };
}

function bin(folder: string): string {
  return path.join(folder, "node_modules", ".bin", "planwright");
}

/** Nothing that would name a system, a model or a Node other than those of the test. */
function ownEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { PATH = "", HOME = "", NATS_SERVER_BIN, XDG_CACHE_HOME, PLANWRIGHT_CACHE } = process.env;
  const kept = { PATH: foreignPath(PATH), HOME, NATS_SERVER_BIN, XDG_CACHE_HOME, PLANWRIGHT_CACHE };
  return { ...kept, NO_COLOR: "1", ...env };
}

/** Without the repository's own executables, the pinned Node among them. */
function foreignPath(all: string): string {
  const folders = all.split(path.delimiter).filter((folder) => !folder.startsWith(ROOT));
  return folders.join(path.delimiter);
}

async function ran(file: string, args: readonly string[], options: object): Promise<Ran> {
  try {
    const { stdout, stderr } = await run(file, args, { ...options, maxBuffer: OUTPUT_BYTES_MAX });
    return { code: 0, printed: stdout + stderr };
  } catch (error) {
    if (!(error instanceof Error) || !("stdout" in error) || !("stderr" in error)) throw error;
    const code = "code" in error && typeof error.code === "number" ? error.code : 1;
    return { code, printed: `${String(error.stdout)}${String(error.stderr)}` };
  }
}
