import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/planwright.mjs", import.meta.url));

export type CliRun = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs `planwright` as a script would: a process of its own, read through pipes, with nothing of this environment. */
export async function runCli(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<CliRun> {
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = Promise.withResolvers<number | null>();
  child.once("close", (code) => ended.resolve(code)).once("error", ended.reject);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended.promise]);
  return { code, out, err };
}
