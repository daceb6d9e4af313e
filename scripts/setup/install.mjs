// The installation of what the lockfile pins. Whatever interrupts it, the same command goes on with it: the mark that it
// is whole is written last, pnpm takes up what it has begun, and a pnpm that npm has kept only half of is replaced.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { oneAtATime } from "./one-at-a-time.mjs";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** What decides an installation. */
const INPUTS = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"];
/** What a shell answers for a program that cannot be run, and above it for one that has crashed. */
const NO_PROGRAM = 126;
const EXIT_INTERRUPTED = 130;

/**
 * Installs unless what is installed is what is pinned.
 *
 * @returns 0, or the exit code for a failure that has been told.
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
    tell(
      `nothing can be installed in ${root}: ${fault}. Clone it to where you may write, and start it there.`,
    );
    return 1;
  }
  return oneAtATime(root, {
    waiting: () => tell("another command is installing here: waiting for it"),
    run: () => (isDone() ? 0 : install({ root, pinnedNode, whenDone: () => writeFileSync(mark, wanted) })),
  });
}

async function install({ root, pinnedNode, whenDone }) {
  const { packageManager } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  const started = Date.now();
  tell(`installing with ${packageManager} …`);
  let ended = await runPnpm(root, keptByNpm(packageManager));
  if (!ended.interrupted && (crashed(ended) || (ended.code === 0 && !existsSync(pinnedNode)))) {
    tell("the pnpm that npm keeps is damaged, as an interrupted installation leaves it: getting another");
    ended = await runFreshPnpm(root, packageManager);
  }
  if (ended.interrupted) {
    tell("the installation was interrupted; the same command goes on with it");
    return EXIT_INTERRUPTED;
  }
  if (ended.code !== 0) {
    tell(
      "the installation failed; what failed stands above. It needs the npm registry, or a mirror that " +
        "`npm config get registry` names, and a gigabyte of room; once they are there, the same command goes on.",
    );
    return ended.code ?? 1;
  }
  whenDone();
  tell(`installed in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return 0;
}

/** By npm, from what it has fetched before for whichever folder. `--yes`, or npm waits for an answer. */
function keptByNpm(packageManager) {
  return [...npmCommand(), "exec", "--yes", `--package=${packageManager}`, "--", "pnpm"];
}

/** With a pnpm for this installation alone, so that nothing old is in it. */
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

function runPnpm(root, pnpm) {
  return run(root, [...pnpm, "install", "--frozen-lockfile", "--reporter=append-only"]);
}

/** Under `npm start`, the npm that runs this script; by hand, the one on the PATH. */
function npmCommand() {
  const running = process.env.npm_execpath;
  return running?.endsWith("npm-cli.js") ? [process.execPath, running] : ["npm"];
}

/** Runs a program to its end, also when this process is asked to stop meanwhile: it is told, and may tidy up. */
function run(cwd, [file, ...args]) {
  return new Promise((resolve) => {
    // CI, or pnpm waits for an answer when it wants to replace node_modules.
    const env = { ...process.env, CI: process.env.CI ?? "true" };
    const child = spawn(file, args, { cwd, stdio: ["ignore", 2, 2], env });
    let interrupted = false;
    const onSignal = (signal) => {
      child.kill(interrupted ? "SIGKILL" : signal);
      interrupted = true;
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
    const end = (code, signal) => {
      for (const name of SIGNALS) process.off(name, onSignal);
      resolve({ code, signal, interrupted });
    };
    child.on("error", (error) => {
      tell(`cannot run ${file}: ${error.message}`);
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

function tell(text) {
  console.error(`[setup] ${text}`);
}
