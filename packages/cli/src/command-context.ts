import type { Readable } from "node:stream";
import type { ExitCode } from "./exit-codes.ts";

/** A standard output stream: the process's own, or a test's when it runs a command in its process. */
export type TextSink = {
  write(text: string): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** Everything that a command receives besides its options. */
export type CommandContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** Sets the exit code of a command that throws nothing; default 0. */
  readonly endWith: (code: ExitCode) => void;
};

/** Returns the process's own streams and exit code. */
export function processContext(env: CommandContext["env"] = process.env): CommandContext {
  return {
    env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    endWith(code) {
      process.exitCode = code;
    },
  };
}

/** The command as users type it: in the repository, `planwright` is not on the PATH. */
export const COMMAND = "npx planwright";
