/**
 * Builds the dashboard's static files when its sources have changed since the last build. A build is written to a
 * separate folder and then renamed, so that the gateway never serves half of one.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { glob, readFile, rename, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

/** Sources from other packages that the page bundles: the client, and functions about plans. */
const PLAN_SOURCES = "../plan/src/**/*.ts";
const CLIENT_SOURCES = "../client/src/**/*.ts";
const SOURCES = [
  PLAN_SOURCES,
  CLIENT_SOURCES,
  "index.html",
  "package.json",
  "tsconfig.json",
  "*.ts",
  "src/**/*",
  "public/**/*",
];
const HASH_FILE = ".built-from";
const OUTPUT_CHARS_MAX = 20_000;
/** Lower priority than the services, which start at the same time. */
const NICENESS = 10;

export type DashboardBuild = "absent" | "fresh" | "built";

/**
 * Builds the dashboard of `packageDir` into its `dist` folder if its sources have changed.
 *
 * @throws {Error} When the build fails, with the end of its output; the old files stay.
 */
export async function buildDashboard({
  packageDir,
  signal,
}: {
  packageDir: string;
  signal: AbortSignal;
}): Promise<DashboardBuild> {
  if (!existsSync(path.join(packageDir, "index.html"))) return "absent";
  const hash = await sourceHash(packageDir);
  const dist = path.join(packageDir, "dist");
  if ((await readFile(path.join(dist, HASH_FILE), "utf8").catch(() => "")) === hash) return "fresh";

  const incoming = path.join(packageDir, "node_modules", ".dist-incoming");
  await runVite({ packageDir, outDir: incoming, signal });
  await writeFile(path.join(incoming, HASH_FILE), hash);
  await rm(dist, { recursive: true, force: true });
  await rename(incoming, dist);
  return "built";
}

async function sourceHash(packageDir: string): Promise<string> {
  const files: string[] = [];
  for await (const entry of glob(SOURCES, { cwd: packageDir, withFileTypes: true })) {
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

async function runVite({
  packageDir,
  outDir,
  signal,
}: {
  packageDir: string;
  outDir: string;
  signal: AbortSignal;
}): Promise<void> {
  const vite = path.join(packageDir, "node_modules", "vite", "bin", "vite.js");
  const args = [vite, "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"];
  const child = spawn(process.execPath, args, {
    cwd: packageDir,
    // Always a production build: under a test runner, NODE_ENV=test would make the page twice as large.
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
    throw new Error(printed.trim() || `vite exited with ${child.exitCode ?? child.signalCode}`);
}
