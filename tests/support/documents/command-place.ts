/** A folder in which the commands of the documents find what a clone has: `npx`, and the tools that they pipe into. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { runCli } from "../../../packages/cli/src/testing/run-cli.ts";
import { runShell } from "./run-console.ts";

const ROOT = path.resolve(import.meta.dirname, "../../..");
const CLI = path.join(ROOT, "packages/cli/bin/planwright.mjs");
/** What the command line cannot parse itself: pipes, redirections, substitutions, settings and other programs. */
const NEEDS_SHELL = /[|<>&$]|^(?!npx planwright )/;

/** `jq -r .a.b`, all that the documents use of it. */
const JQ = `let text = "";
for await (const piece of process.stdin) text += piece;
const names = process.argv.at(-1).split(".").filter(Boolean);
const values = text.trim().split("\\n").map((line) => { try { return JSON.parse(line); } catch {} });
for (const value of values.includes(undefined) ? [JSON.parse(text)] : values)
  console.log(names.reduce((inner, name) => inner[name], value));
`;

export type CommandPlace = AsyncDisposable & {
  readonly folder: string;
  /** With these programs first. */
  readonly PATH: string;
  /** Runs a command as it is written, in the folder: in this process where it can be, else by a shell. */
  run(
    command: string,
    env: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | null; readonly printed: string }>;
};

export async function commandPlace(): Promise<CommandPlace> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-commands-"));
  const bin = path.join(folder, "bin");
  const node = JSON.stringify(process.execPath);
  await mkdir(bin);
  await program(
    bin,
    "npx",
    `if [ "$1" = -y ]; then module=$2; shift 2; exec ${node} "${ROOT}/node_modules/$module/dist/index.js" "$@"; fi
shift; exec ${node} "${CLI}" "$@"`,
  );
  await writeFile(path.join(bin, "jq.mjs"), JQ);
  await program(bin, "jq", `exec ${node} "${bin}/jq.mjs" "$@"`);
  await writeFile(path.join(folder, ".curlrc"), "silent\nshow-error\nfail\n");
  const PATH = `${bin}${path.delimiter}${process.env["PATH"] ?? ""}`;
  return {
    folder,
    PATH,
    async run(command, env) {
      if (NEEDS_SHELL.test(command)) {
        const given = { PATH, HOME: folder, CURL_HOME: folder, ...env };
        const { code, said } = await runShell(command, { cwd: folder, env: given });
        return { code, printed: said };
      }
      const { code, out, err } = await runCli(wordsOf(command).slice(2), { env: { PATH, ...env } });
      return { code, printed: `${err}${out}` };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

async function program(bin: string, name: string, script: string): Promise<void> {
  await writeFile(path.join(bin, name), `#!/bin/sh\n${script}\n`);
  await chmod(path.join(bin, name), 0o755);
}

function wordsOf(command: string): string[] {
  return Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, plain]) => double ?? single ?? plain ?? "",
  );
}
