import { Command } from "commander";
import path from "node:path";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { outputOf } from "../global-options.ts";

const DATA = "--data <folder>";
const DATA_DEFAULT = ".planwright";

/** `planwright backup`: copies everything that a running system stores. */
export function backupCommand(context: CommandContext): Command {
  return new Command("backup")
    .description("Back up the running system of a data folder, or of NATS_URL, into a new folder")
    .argument("<folder>", "a new or empty folder")
    .option(DATA, "the data folder of the system; else PLANWRIGHT_DATA, else .planwright")
    .action(async (folder: string, options: { data?: string }, command: Command) => {
      const { backupAccess, takeBackup } = await import("@planwright/launcher/backup");
      const dataDir = dataFolder(options, context);
      const taken = await refusedAsCliError(async () =>
        takeBackup({
          folder: path.resolve(folder),
          dataDir,
          access: await backupAccess(dataDir, context.env),
        }),
      );
      const { createdAt, streams, files } = taken;
      const bytes = [...streams, ...files].reduce((sum, stored) => sum + stored.bytes, 0);
      const output = outputOf(command, context);
      output.result({ folder, createdAt, streams: streams.length, files: files.length, bytes }, () =>
        output.line(`${streams.length} streams and ${files.length} files, ${bytes} bytes, are in ${folder}`),
      );
    });
}

/** `planwright restore`: creates a new system from a backup. */
export function restoreCommand(context: CommandContext): Command {
  return new Command("restore")
    .description("Restore a backup into a new data folder; with NATS_URL, its streams into that server")
    .argument("<folder>", "the folder of the backup")
    .option(DATA, "a new or empty data folder; else PLANWRIGHT_DATA, else .planwright")
    .action(async (folder: string, options: { data?: string }, command: Command) => {
      const { restoreBackup } = await import("@planwright/launcher/backup");
      const { readConfig } = await import("@planwright/shared/service");
      const { replicasConfig } = await import("@planwright/shared/access");
      const { z } = await import("zod");
      const dataDir = dataFolder(options, context);
      const { env } = context;
      const output = outputOf(command, context);
      const { createdAt, streams, files } = await refusedAsCliError(() => {
        const { NATS_REPLICAS: replicas } = readConfig(z.object(replicasConfig), env);
        const log = (line: string): void => output.note(line);
        return restoreBackup({ folder: path.resolve(folder), dataDir, env, log, replicas });
      });
      output.result({ data: dataDir, createdAt, streams: streams.length, files: files.length }, () => {
        output.line(`${dataDir} contains the system as of ${createdAt}`);
        output.line(
          "Steps that act once and may have acted since then ask for approval before they act again.",
        );
      });
    });
}

function dataFolder({ data }: { readonly data?: string }, { env }: CommandContext): string {
  return path.resolve(data ?? (env["PLANWRIGHT_DATA"] || DATA_DEFAULT));
}

/** Runs the command; a permanent error becomes exit code 5 with its message. */
async function refusedAsCliError<T>(run: () => Promise<T>): Promise<T> {
  const { PermanentError, describeError } = await import("@planwright/shared/errors");
  try {
    return await run();
  } catch (error) {
    if (error instanceof PermanentError)
      throw new CliError(EXIT.refused, describeError(error), { cause: error });
    throw error;
  }
}
