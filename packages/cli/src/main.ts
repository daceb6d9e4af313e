/** `planwright`: runs the command of the process's arguments and sets its exit code. */
import { describeError } from "@planwright/shared/errors";
import { CommanderError } from "commander";
import { oneLine } from "@planwright/shared/terminal";
import { type CommandContext, processContext } from "./command-context.ts";
import { createProgram } from "./create-program.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import { toCliError } from "./to-cli-error.ts";

export async function main(): Promise<void> {
  // Whoever reads may have seen enough: `planwright tools | head`.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.failed);
  });
  await runCommand(process.argv.slice(2), processContext());
}

/** Runs the command of these arguments; the context learns how it ended. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<void> {
  try {
    await createProgram(context).parseAsync(args, { from: "user" });
  } catch (error) {
    context.endWith(tell(error, context));
  }
}

function tell(error: unknown, { stderr }: CommandContext): ExitCode {
  // Commander has said what is wrong, or has shown the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const told = toCliError(error);
  const message = told?.message ?? describeError(error);
  stderr.write(`planwright: ${message.split("\n").map(oneLine).join("\n")}\n`);
  return told?.exitCode ?? EXIT.failed;
}
