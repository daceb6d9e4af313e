/**
 * Builds a package's static files when their sources have changed since the last build. A build is written to a separate
 * folder and then renamed, so that the gateway never serves half of one.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { glob, readFile, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

const HASH_FILE = ".built-from";
const OUTPUT_CHARS_MAX = 20_000;
/** Lower priority than the services, which start at the same time. */
const NICENESS = 10;

/**
 * Builds a package into its `dist` folder if its sources have changed.
 *
 * @param options.sources - Globs of files, relative to the package.
 * @param options.command - Returns the Node arguments that build into a given folder; they run in the package's folder.
 * @throws {Error} When the build fails, with the end of its output; the old files are kept.
 */
export async function buildWhenChanged({
  packageDir,
  sources,
  command,
  signal,
}: {
  readonly packageDir: string;
  readonly sources: readonly string[];
  readonly command: (outDir: string) => readonly string[];
  readonly signal: AbortSignal;
}): Promise<"fresh" | "built"> {
  const hash = await hashOf(packageDir, sources);
  const dist = path.join(packageDir, "dist");
  if ((await readFile(path.join(dist, HASH_FILE), "utf8").catch(() => "")) === hash) return "fresh";

  const incoming = path.join(packageDir, "node_modules", ".dist-incoming");
  await runNode(command(incoming), { cwd: packageDir, signal });
  await writeFile(path.join(incoming, HASH_FILE), hash);
  await rm(dist, { recursive: true, force: true });
  await rename(incoming, dist);
  return "built";
}

async function hashOf(packageDir: string, sources: readonly string[]): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(sources, { cwd: packageDir, withFileTypes: true })) {
    if (entry.isFile()) files.push(path.join(entry.parentPath, entry.name));
  }
  const hash = createHash("sha256");
  for (const file of files.sort()) {
    hash
      .update(path.relative(packageDir, file))
      .update("\0")
      .update(await readFile(file))
      .update("\0");
  }
  return hash.digest("hex");
}

async function runNode(
  args: readonly string[],
  { cwd, signal }: { readonly cwd: string; readonly signal: AbortSignal },
): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd,
    // Always a production build: under a test runner, NODE_ENV=test would make pages twice as large.
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
    signal,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-OUTPUT_CHARS_MAX);
    });
  }
  // Listens from the start: if the signal has already aborted, the error is emitted in the same turn as "spawn".
  const closed = once(child, "close");
  await Promise.race([once(child, "spawn"), closed]);
  if (child.pid !== undefined) os.setPriority(child.pid, NICENESS);
  await closed;
  if (child.exitCode !== 0)
    throw new Error(printed.trim() || `the build exited with ${child.exitCode ?? child.signalCode}`);
}
