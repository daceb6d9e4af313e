import path from "node:path";
import { describeError } from "@planwright/shared/errors";
import {
  type Environment,
  modelAddress,
  type ModelTarget,
  modelUrl,
  sharedModelServer,
} from "@planwright/shared/service";
import type { Output } from "./console-output.ts";
import type { StartOptions } from "./start-options.ts";
import { startSystem, type System, type SystemDeps } from "./start-system.ts";
import { existsSync } from "node:fs";
import { buildWhenChanged } from "./build-when-changed.ts";

const TIMEOUT_MS = 10_000;
const HINT = "Plans that need a model wait for it and eventually fail.";
/** Azure lists the models of a resource, not of a deployment. */
const DEPLOYMENT = /\/deployments\/[^/]+$/;

export type RunDeps = SystemDeps & {
  /** The folder of the dashboard's package. */
  readonly dashboardDir: string;
  /** Milliseconds since the command was started. */
  readonly elapsedMs: () => number;
};

/**
 * Runs the whole system until `stopping` aborts, and then stops it.
 *
 * @param signals.stopping - Stop: running work finishes first.
 * @param signals.killing - Stop immediately.
 * @throws {Error} When the system cannot start, or a component ended for good; everything is stopped by then.
 */
export async function runSystem(
  options: StartOptions,
  deps: RunDeps,
  signals: { readonly stopping: AbortSignal; readonly killing: AbortSignal },
): Promise<void> {
  const { output } = deps;
  await using system = await startSystem(options, deps, signals.stopping);
  onAbort(signals.killing, () => system.kill());
  const asked = new Promise<undefined>((resolve) => onAbort(signals.stopping, () => resolve(undefined)));

  await using cleanup = new AsyncDisposableStack();
  try {
    const url = await Promise.race([system.ready, system.failed, asked]);
    if (url !== undefined) {
      announce({ url, system, options, deps });
      // Not earlier: it would slow down the start.
      const reports = [
        reportDashboardBuild(deps, signals.stopping),
        reportModelServer(deps, signals.stopping),
      ];
      cleanup.defer(async () => void (await Promise.all(reports)));
      await Promise.race([system.failed, asked]);
    }
  } catch (error) {
    output.say("a component failed: stopping everything", { severity: "error" });
    throw error;
  }
  output.say("stopping: running work finishes first (press Ctrl-C again to kill)");
}

function announce({
  url,
  system,
  options,
  deps: { output, env, elapsedMs },
}: {
  url: string;
  system: System;
  options: StartOptions;
  deps: RunDeps;
}): void {
  output.say(`ready in ${(elapsedMs() / 1_000).toFixed(1)} s: ${url}`);
  output.say(
    system.offline
      ? "using the built-in demo model (rule-based): set OPENAI_API_KEY or OPENAI_BASE_URL and restart to use a real one"
      : `models: ${env["OPENAI_BASE_URL"] || "the servers set in the environment"}`,
  );
  const data = path.relative(process.cwd(), options.dataDir) || ".";
  output.say(`data: ${data} · NATS: ${system.natsUrl} · Ctrl-C to stop`);
}

/** Never throws: the system works without its dashboard. */
async function reportDashboardBuild(
  { dashboardDir, output }: { dashboardDir: string; output: Output },
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  try {
    const result = await buildDashboard({ packageDir: dashboardDir, signal });
    const seconds = ((performance.now() - started) / 1_000).toFixed(1);
    if (result === "built") output.say(`dashboard built in ${seconds} s`);
  } catch (error) {
    if (signal.aborted) return;
    output.say(`could not build the dashboard (everything else works): ${describeError(error)}`, {
      severity: "warn",
    });
  }
}

/** Never throws: an unreachable model server may come back. */
async function reportModelServer({ env, output }: RunDeps, signal: AbortSignal): Promise<void> {
  const server = modelServerOf(env);
  const oddity = server === undefined ? undefined : await oddityOfModelServer(server, signal);
  if (oddity !== undefined) output.say(oddity, { severity: "warn" });
}

function onAbort(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run();
  else signal.addEventListener("abort", run, { once: true });
}

/** Returns the server that the environment sets for all roles; undefined when it sets none, or the settings are invalid. */
export function modelServerOf(env: Environment): Omit<ModelTarget, "model"> | undefined {
  try {
    return sharedModelServer(env);
  } catch {
    // The services report invalid settings and do not start.
    return undefined;
  }
}

/**
 * Returns a warning about the model server that says how to fix it; undefined when the server is fine. Without the check, a wrong
 * address or key would only show in plans that wait for it. Lists the models, which every OpenAI-compatible server supports and
 * which costs nothing, with the same address, query and headers as every model call.
 */
export async function oddityOfModelServer(
  server: Omit<ModelTarget, "model">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const address = modelAddress(server);
  const { base, headers } = address;
  const url = modelUrl({ ...address, base: base.replace(DEPLOYMENT, "") }, "/models");
  let response: Response;
  try {
    response = await fetch(url, {
      headers,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
  } catch (error) {
    if (signal.aborted) return undefined;
    return `the model server at ${base} does not answer (${describeError(error)}): check OPENAI_BASE_URL and that the server is running. ${HINT}`;
  }
  await response.body?.cancel();
  if (response.status === 401 || response.status === 403) {
    return `the model server at ${base} rejects the key (${response.status}): check OPENAI_API_KEY and OPENAI_KEY_HEADER. ${HINT}`;
  }
  const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
  if (isRedirect(response.status) || response.status === 404 || (response.ok && !isJson)) {
    return `${base} may not be a model server (status ${response.status} for its list of models): check OPENAI_BASE_URL, which usually ends in /v1`;
  }
  return undefined;
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

/** Sources from other packages that the dashboard bundles: the client, and functions about plans. */
const PLAN_SOURCES = "../plan/src/**/*.ts";
const CLIENT_SOURCES = "../client/src/**/*.ts";
/** The dashboard lists the docs pages: their index, and the code that parses it. */
const DOCS_INDEX = ["../../docs/README.md", "../docs-site/src/sidebar.ts"];
const SOURCES = [
  PLAN_SOURCES,
  CLIENT_SOURCES,
  ...DOCS_INDEX,
  "index.html",
  "package.json",
  "tsconfig.json",
  "*.ts",
  "src/**/*",
  "public/**/*",
];
const VITE = "node_modules/vite/bin/vite.js";

/** Builds the dashboard's static files. */
export type DashboardBuild = "absent" | "fresh" | "built";

/**
 * Builds the dashboard of `packageDir` into its `dist` folder if its sources have changed.
 *
 * @throws {Error} When the build fails, with the end of its output; the old files are kept.
 */
export async function buildDashboard({
  packageDir,
  signal,
}: {
  packageDir: string;
  signal: AbortSignal;
}): Promise<DashboardBuild> {
  if (!existsSync(path.join(packageDir, "index.html"))) return "absent";
  return buildWhenChanged({
    packageDir,
    sources: SOURCES,
    command: (outDir) => [VITE, "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"],
    signal,
  });
}
