import { cp, glob, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build, type Rolldown } from "tsdown";
import { buildDashboard } from "@planwright/launcher";
import { buildSite } from "../docs/build-site.ts";
import type { PublishedPackage } from "./published-packages.ts";
import { refuseLibraries } from "./refuse-libraries.ts";

/** The entry points of the services, which the supervisor starts as processes. */
const SERVICE_ENTRIES = "src/start/services/*.ts";
/** Files that sources read relative to themselves. */
const READ_BY_PLACE = ["examples/sunglasses-store/{seed.sql,sources.json}", "services/executor/src/**/*.py"];
const DASHBOARD = "packages/dashboard";
const DOCS_SITE = "packages/docs-site";
const NOTICES = "THIRD_PARTY_LICENSES.md";
/** How a module names the script of a thread or process that it starts. */
const STARTED = /new URL\("(\.\/[\w./-]+)\.ts", import\.meta\.url\)/g;

/**
 * Builds the command line and the services. Each module becomes a separate file at its path in the repository, so that files
 * it finds by relative path (thread scripts, adjacent files, the pages) are found in the package too. npm packages stay
 * imports.
 *
 * @param outDir - Emptied first.
 */
export async function buildSystem(
  { folder, entry }: PublishedPackage,
  { root, outDir, signal }: { readonly root: string; readonly outDir: string; readonly signal: AbortSignal },
): Promise<void> {
  const cwd = path.join(root, folder);
  const services = await Array.fromAsync(glob(SERVICE_ENTRIES, { cwd }));
  const entries = [entry, ...services].map((file) => [path.join(folder, file.replace(/\.ts$/, "")), file]);
  await build({
    config: false,
    cwd,
    root,
    entry: Object.fromEntries(entries) as Record<string, string>,
    outDir,
    format: "esm",
    platform: "node",
    target: "node26",
    tsconfig: path.join(root, "tsconfig.json"),
    unbundle: true,
    dts: false,
    outExtensions: () => ({ js: ".js" }),
    deps: { alwaysBundle: [/^@planwright\//], neverBundle: [/^(?!@planwright\/)[a-z@]/] },
    plugins: [startedScripts, refuseLibraries],
    // The only warning is that TypeScript 7 is new.
    logLevel: "error",
    inputOptions: { checks: { pluginTimings: false } },
    report: false,
  });
  await Promise.all([copyPages({ root, outDir, signal }), copyReadByPlace({ root, outDir })]);
  await moveNotices(outDir);
}

/** Vite writes notices for the dashboard and the docs site, the only parts that bundle libraries. */
async function moveNotices(outDir: string): Promise<void> {
  const files = [DASHBOARD, DOCS_SITE].map((folder) => path.join(outDir, folder, "dist", NOTICES));
  const notices = await Promise.all(files.map((file) => readFile(file, "utf8")));
  await writeFile(path.join(outDir, "..", NOTICES), notices.join("\n"));
  await Promise.all(files.map((file) => rm(file)));
}

/** Scripts that a module starts are separate entries. */
const startedScripts: Rolldown.Plugin = {
  name: "started-scripts",
  transform(code, id) {
    if (!code.includes("import.meta.url")) return undefined;
    return code.replace(STARTED, (_, started: string) => {
      this.emitFile({ type: "chunk", id: path.resolve(path.dirname(id), `${started}.ts`) });
      return `new URL("${started}.js", import.meta.url)`;
    });
  },
};

async function copyPages({
  root,
  outDir,
  signal,
}: {
  readonly root: string;
  readonly outDir: string;
  readonly signal: AbortSignal;
}): Promise<void> {
  await buildDashboard({ packageDir: path.join(root, DASHBOARD), signal });
  await buildSite(root, signal);
  for (const folder of [DASHBOARD, DOCS_SITE])
    await cp(path.join(root, folder, "dist"), path.join(outDir, folder, "dist"), { recursive: true });
}

async function copyReadByPlace({
  root,
  outDir,
}: {
  readonly root: string;
  readonly outDir: string;
}): Promise<void> {
  for await (const file of glob(READ_BY_PLACE, { cwd: root })) {
    await cp(path.join(root, file), path.join(outDir, file));
  }
}
