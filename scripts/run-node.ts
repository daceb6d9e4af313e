import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/**
 * Runs a script on the current Node, with this terminal, and resolves to its exit code.
 * Ctrl-C reaches the child directly (same process group); other signals are forwarded.
 */
export async function runNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return run(process.execPath, args, env);
}

/** Runs an executable of an installed package, by its name in `node_modules/.bin`. */
export async function runBin(name: string, args: readonly string[]): Promise<number> {
  return run(path.join("node_modules", ".bin", name), args, process.env);
}

/** Runs any program. */
export async function runProgram(file: string, args: readonly string[]): Promise<number> {
  return run(file, args, process.env);
}

async function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(file, args, { stdio: "inherit", env });
  const ignore = () => undefined;
  const handOn = (signal: NodeJS.Signals) => child.kill(signal);
  process.on("SIGINT", ignore).on("SIGTERM", handOn).on("SIGHUP", handOn);
  try {
    await once(child, "exit");
    return child.exitCode ?? 1;
  } finally {
    process.off("SIGINT", ignore).off("SIGTERM", handOn).off("SIGHUP", handOn);
  }
}
