import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/**
 * Runs a script on the Node that runs this one, with this terminal, and answers with its exit code.
 * Ctrl-C reaches the child by itself (same process group); other signals are handed on.
 */
export async function runNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  return run(process.execPath, args, env);
}

/** Runs an executable of an installed package, by the name it has in `node_modules/.bin`. */
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
