/** `planwright`: runs the command that the process's arguments name and sets the exit code. */
import { describeError } from "@planwright/shared/errors";
import { didYouMean } from "@planwright/plan/nearest-name";
import { type Command, CommanderError } from "commander";
import { oneLine } from "@planwright/shared/terminal";
import { type CommandContext, processContext } from "./command-context.ts";
import { withJsonFields } from "./completion/json-words.ts";
import { readLine } from "./completion/wanted-word.ts";
import { createProgram } from "./create-program.ts";
import { CliError, EXIT, type ExitCode } from "./exit-codes.ts";
import { toCliError } from "./to-cli-error.ts";

export async function main(): Promise<void> {
  // The reader may stop early: `planwright tools | head`.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.failed);
  });
  await runCommand(process.argv.slice(2), processContext());
}

/** Runs the command that these arguments name, and reports its exit code to the context. */
export async function runCommand(args: readonly string[], context: CommandContext): Promise<void> {
  try {
    const program = createProgram(context);
    refuseUnknownSubcommand(program, args);
    await program.parseAsync(withJsonFields(program, args), { from: "user" });
  } catch (error) {
    context.endWith(report(error, context));
  }
}

/** @throws {CliError} `usage` for `keys lst`: commander would pass the word on to the group's default command. */
function refuseUnknownSubcommand(program: Command, args: readonly string[]): void {
  const {
    command,
    before: [word],
  } = readLine(program, args);
  const names = command.commands.map((one) => one.name());
  if (command === program || names.length === 0 || word === undefined || word === "help") return;
  const message = `unknown command ${JSON.stringify(`${command.name()} ${word}`)}${didYouMean(word, names)}`;
  throw new CliError(EXIT.usage, message, { hint: `Commands: ${names.join(", ")}` });
}

/** Prints an error and returns its exit code. */
function report(error: unknown, { stderr }: CommandContext): ExitCode {
  // Commander has already printed the error or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  const known = toCliError(error);
  const message = known?.message ?? describeError(error);
  const hint = known?.hint === undefined ? "" : `\n${known.hint}`;
  stderr.write(`planwright: ${`${message}${hint}`.split("\n").map(oneLine).join("\n")}\n`);
  return known?.exitCode ?? EXIT.failed;
}
