import { spawn } from "node:child_process";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { runCommand } from "../main.ts";

const BIN = fileURLToPath(new URL("../../bin/planwright.mjs", import.meta.url));

export type CliRun = { readonly code: number | null; readonly out: string; readonly err: string };

/** The one setting that is inherited from the test run, so that processes share compiled code. */
const { NODE_COMPILE_CACHE = "" } = process.env;

type Environment = Readonly<Record<string, string>>;

/**
 * Runs a `planwright` command in this process, with piped output and without this process's environment.
 *
 * @param options.isTTY - Whether the input is a terminal; default false.
 * @param options.columns - The width of the output's terminal; default: the output is a pipe.
 */
export async function runCli(
  args: readonly string[],
  {
    env = {},
    input = "",
    isTTY = false,
    columns,
  }: {
    readonly env?: Environment;
    readonly input?: string;
    readonly isTTY?: boolean;
    readonly columns?: number;
  } = {},
): Promise<CliRun> {
  const run = { code: 0, out: "", err: "" };
  const sink = (stream: "out" | "err") => ({
    write(piece: string): boolean {
      run[stream] += piece;
      return true;
    },
  });
  await runCommand(args, {
    env,
    stdin: Object.assign(Readable.from([input]), { isTTY }),
    stdout: columns === undefined ? sink("out") : { ...sink("out"), isTTY: true, columns },
    stderr: sink("err"),
    endWith(code) {
      run.code = code;
    },
  });
  return run;
}

/** Runs `planwright` as a script would: in its own process, with piped output and without this process's environment. */
export async function runCliProcess(
  args: readonly string[],
  { cwd, env = {} }: { readonly cwd?: string; readonly env?: Environment } = {},
): Promise<CliRun> {
  const child = spawn(process.execPath, [BIN, ...args], {
    cwd,
    env: { NODE_COMPILE_CACHE, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = Promise.withResolvers<number | null>();
  child.once("close", (code) => ended.resolve(code)).once("error", ended.reject);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended.promise]);
  return { code, out, err };
}
