// Installs the pinned dependencies. An interrupted installation continues with the same command: the completion mark is
// written last, pnpm resumes where it stopped, and a damaged pnpm in npm's cache is replaced.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { oneAtATime } from "./one-at-a-time.mjs";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** The files that determine the installation. */
const INPUTS = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"];
/** The shell's exit code for a program that cannot run; higher codes mean a crash. */
const NO_PROGRAM = 126;
const EXIT_INTERRUPTED = 130;

/**
 * Installs the pinned dependencies unless they are already installed.
 *
 * @returns 0, or the exit code of a failure that has been reported.
 */
export async function installWhenChanged({ root, pinnedNode }) {
  const mark = path.join(root, "node_modules", ".installed");
  const hash = createHash("sha256");
  for (const file of INPUTS) hash.update(readFileSync(path.join(root, file)));
  const wanted = hash.digest("hex");
  const isDone = () => existsSync(pinnedNode) && existsSync(mark) && readFileSync(mark, "utf8") === wanted;
  if (isDone()) return 0;

  const fault = whyNotWritable(root);
  if (fault !== undefined) {
    report(`cannot install in ${root}: ${fault}. Clone the repository to a folder that you can write to.`);
    return 1;
  }
  return oneAtATime(root, {
    waiting: () => report("waiting for another installation in this folder"),
    run: () => (isDone() ? 0 : install({ root, pinnedNode, whenDone: () => writeFileSync(mark, wanted) })),
  });
}

async function install({ root, pinnedNode, whenDone }) {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const started = Date.now();
  const announce = () => report(`installing with ${packageManager} …`);
  let ended = await runPnpm(root, keptByNpm(packageManager), announce);
  if (!ended.interrupted && (crashed(ended) || (ended.code === 0 && !existsSync(pinnedNode)))) {
    report("pnpm in npm's cache is damaged (an installation was interrupted): downloading it again");
    ended = await runFreshPnpm(root, packageManager);
  }
  if (ended.interrupted) {
    report("installation interrupted: run the same command again to continue");
    return EXIT_INTERRUPTED;
  }
  if (ended.code !== 0) {
    report(
      "installation failed: see the output above. It requires access to the registry that `npm config get registry` " +
        "prints, and 1 GB of free disk space. Run the same command again to continue.",
    );
    return ended.code ?? 1;
  }
  whenDone();
  report(`installed in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return 0;
}

/** Runs pnpm through npm, from npm's cache. Without `--yes`, npm would prompt. */
function keptByNpm(packageManager) {
  return [...npmCommand(), "exec", "--yes", `--package=${packageManager}`, "--", "pnpm"];
}

/** Runs a freshly downloaded pnpm, used for this installation only. */
async function runFreshPnpm(root, packageManager) {
  const folder = path.join(root, "node_modules", ".setup");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  remove();
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), "{}");
  const quiet = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const got = await run(folder, [...npmCommand(), "install", "--prefix", folder, ...quiet, packageManager]);
  const ended =
    got.code === 0 ? await runPnpm(root, [path.join(folder, "node_modules", ".bin", "pnpm")]) : got;
  remove();
  return ended;
}

function runPnpm(root, pnpm, whenStarted) {
  return run(root, [...pnpm, "install", "--frozen-lockfile", "--reporter=append-only"], whenStarted);
}

/** Returns the npm that runs this script, or the one on the PATH when it was started directly. */
function npmCommand() {
  const running = process.env.npm_execpath;
  return running?.endsWith("npm-cli.js") ? [process.execPath, running] : ["npm"];
}

/**
 * Runs a program to its end. Signals are forwarded, so that it can clean up.
 *
 * @param whenStarted - Called once signals are forwarded.
 */
function run(cwd, [file, ...args], whenStarted = () => undefined) {
  return new Promise((resolve) => {
    // Without CI, pnpm would prompt before it replaces node_modules.
    const env = { ...process.env, CI: process.env.CI ?? "true" };
    const child = spawn(file, args, { cwd, stdio: ["ignore", 2, 2], env });
    let interrupted = false;
    const onSignal = (signal) => {
      child.kill(interrupted ? "SIGKILL" : signal);
      interrupted = true;
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    whenStarted();
    const end = (code, signal) => {
      for (const name of SIGNALS) process.off(name, onSignal);
      resolve({ code, signal, interrupted });
    };
    child.on("error", (error) => {
      report(`cannot run ${file}: ${error.message}`);
      end(1, null);
    });
    child.on("exit", end);
  });
}

function crashed({ code, signal }) {
  return signal !== null || code >= NO_PROGRAM;
}

function whyNotWritable(root) {
  const folder = path.join(root, "node_modules");
  try {
    if (!existsSync(folder)) mkdirSync(folder);
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    return error.message;
  }
}

function report(text) {
  console.error(`[setup] ${text}`);
}
