// Installs the pinned dependencies if needed, then runs the command with the pinned Node.
import { spawn } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { installWhenChanged } from "./install.mjs";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const ORPHAN_POLL_MS = 500;

/** Runs a command of the repository, and exits with its exit code. */
export async function setUp(root, args) {
  const pinnedNode = path.join(
    root,
    "node_modules",
    ".bin",
    process.platform === "win32" ? "node.exe" : "node",
  );
  const exitCode = await installWhenChanged({ root, pinnedNode });
  if (exitCode === 0) runMain({ root, pinnedNode, args });
  else process.exitCode = exitCode;
}

function runMain({ root, pinnedNode, args }) {
  const PATH = path.join(root, "node_modules", ".bin") + path.delimiter + process.env.PATH;
  const child = spawn(pinnedNode, [path.join(root, "scripts", "main.ts"), ...args], {
    cwd: root,
    // The IPC channel tells the child when this process is killed.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...process.env, PATH },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  if (process.env.npm_lifecycle_event) whenOrphaned(() => child.kill("SIGTERM"));
  child.on("error", (error) => {
    console.error(`[setup] cannot run ${pinnedNode}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}

// A killed npm forwards no signal, but what it started must not outlive it.
function whenOrphaned(stop) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    stop();
  }, ORPHAN_POLL_MS);
  watch.unref();
}
