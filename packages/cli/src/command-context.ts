import type { Readable } from "node:stream";
import type { ExitCode } from "./exit-codes.ts";

/** A standard stream: of the process, or of a test that runs a command in its own process. */
export type TextSink = {
  write(text: string): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** What a command is given besides its options. */
export type CommandContext = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextSink;
  readonly stderr: TextSink;
  /** What the command ends with when it throws nothing; default 0. */
  readonly endWith: (code: ExitCode) => void;
};

/** The process's own streams, and its exit code. */
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

/** What a person types to run it: in the repository it is on no PATH. */
export const COMMAND = "npx planwright";
