import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  glob,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from "node:fs/promises";
import path from "node:path";

/** All sources of a service; the lock file determines its installed packages. */
const SOURCES = ["pnpm-lock.yaml", "{packages,services}/*/package.json", "{packages,services}/*/src/**/*"];
/** The dashboard is not part of a service, and tests are not part of anything. */
const NO_SOURCES = ["packages/dashboard/**", "**/*.test.*"];
const PARALLEL = 64;

/** If the sources change while they are bundled, they are bundled again, up to this many times. */
const ATTEMPTS_MAX = 3;
/** Every change of the sources leaves a bundle behind: those unused for a day are removed. */
const UNUSED_MS_MAX = 24 * 60 * 60 * 1_000;
const BUNDLER = path.join(import.meta.dirname, "bundle-process.ts");
const BUNDLE_MS_MAX = 300_000;
const SAID_CHARS_MAX = 20_000;

/** Files to bundle, by the name of the resulting `<name>.js`. */
type BundleEntries = Readonly<Record<string, string>>;

/** The services, one process each, and `all-services.js` for several in one process: files relative to the repository's root. */
export const SERVICE_ENTRIES: BundleEntries = {
  planner: "services/planner/src/main.ts",
  executor: "services/executor/src/main.ts",
  reflector: "services/reflector/src/main.ts",
  gateway: "services/gateway/src/main.ts",
  "all-services": "packages/cli/src/start/system-services.ts",
};

/**
 * Bundles each service and its imports into a few files, so that its process starts in less than half the time: most of a start
 * is spent on finding, reading and stripping a thousand modules. Threads and processes that a service starts are bundled with it.
 *
 * The folder is named after the sources, so that an existing bundle is found again and a stale one never is.
 *
 * @param options.root - The repository.
 * @param options.entries - Default {@link SERVICE_ENTRIES}.
 * @returns The folder with one `<entry>.js` each.
 * @throws {Error} When the sources cannot be bundled, or do not stop changing.
 */
export async function bundleServices(options: {
  readonly root: string;
  readonly entries?: BundleEntries;
}): Promise<string> {
  const { entries = SERVICE_ENTRIES } = options;
  // The path is part of the digest: `/here/` and `/here` are one repository, and need one bundle.
  const root = path.resolve(options.root);
  const bundles = path.join(root, "node_modules", ".cache", "planwright-services");
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const digest = await digestOfSources(root);
    const folder = path.join(bundles, digest);
    if (await isThere(folder)) {
      await markUsed(folder);
      return folder;
    }
    await removeUnused(bundles);
    await mkdir(bundles, { recursive: true });
    const draft = await mkdtemp(`${folder}-draft-`);
    try {
      await bundleEntries({ root, entries, folder: draft });
      if ((await digestOfSources(root)) !== digest) continue;
      await putInPlace(draft, folder);
      return folder;
    } finally {
      await rm(draft, { recursive: true, force: true });
    }
  }
  throw new Error(`the sources changed ${ATTEMPTS_MAX} times while they were bundled`);
}

/** Marks a bundle as used, which keeps it for another day. */
export async function markUsed(folder: string): Promise<void> {
  await utimes(folder, new Date(), new Date());
}

/**
 * Bundles scripts, with their imports and the scripts that they start, into a few files of a folder. Runs in a separate process,
 * so that the bundler's memory is freed when it exits.
 *
 * @param options.root - The folder to which the files in `options.entries` are relative; each becomes `<name>.js`.
 * @throws {Error} With the bundler's output.
 */
export async function bundleEntries({
  root,
  entries,
  folder,
}: {
  readonly root: string;
  readonly entries: BundleEntries;
  readonly folder: string;
}): Promise<void> {
  const named = Object.entries(entries).map(([name, file]) => `${name}=${file}`);
  const child = spawn(process.execPath, [BUNDLER, root, folder, ...named], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: BUNDLE_MS_MAX,
  });
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-SAID_CHARS_MAX);
  });
  await once(child, "close");
  if (child.exitCode !== 0) {
    throw new Error(said.trim() || `the bundler exited with ${child.exitCode ?? child.signalCode}`);
  }
  // Without it, Node parses every file twice to detect whether it is a module.
  await writeFile(path.join(folder, "package.json"), JSON.stringify({ type: "module" }));
}

/** Moves it atomically: another run finds the folder either complete or missing. */
async function putInPlace(draft: string, folder: string): Promise<void> {
  try {
    await rename(draft, folder);
  } catch (error) {
    if (!(await isThere(folder))) throw error;
  }
}

async function removeUnused(bundles: string): Promise<void> {
  for (const name of await readdir(bundles).catch(() => [])) {
    const folder = path.join(bundles, name);
    const usedMs = (await stat(folder).catch(() => undefined))?.mtimeMs ?? 0;
    if (Date.now() - usedMs > UNUSED_MS_MAX) await rm(folder, { recursive: true, force: true });
  }
}

async function isThere(folder: string): Promise<boolean> {
  return (await stat(folder).catch(() => undefined)) !== undefined;
}

/**
 * A digest of the services' current sources and of their location, because paths are written into the bundle.
 *
 * @param root - The repository.
 */
async function digestOfSources(root: string): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(SOURCES, { cwd: root, exclude: NO_SOURCES, withFileTypes: true })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name));
  }
  const digest = createHash("sha256").update(root);
  const sorted = files.toSorted();
  for (let from = 0; from < sorted.length; from += PARALLEL) {
    const some = sorted.slice(from, from + PARALLEL);
    const contents = await Promise.all(some.map((file) => readFile(file)));
    some.forEach((file, index) => {
      const content = contents[index] ?? "";
      digest.update(`\0${path.relative(root, file)}\0${content.length}\0`).update(content);
    });
  }
  return digest.digest("hex").slice(0, 16);
}
