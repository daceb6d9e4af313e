import { Command } from "commander";
import path from "node:path";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { outputOf } from "../global-options.ts";

const DATA = "--data <folder>";
const DATA_DEFAULT = ".planwright";

/** `planwright backup`: copies everything that a running system has stored. */
export function backupCommand(context: CommandContext): Command {
  return new Command("backup")
    .description("Back up the running system of a data folder or of NATS_URL")
    .argument("<folder>", "New or empty folder for the backup")
    .option(DATA, "Data folder of the system (default: PLANWRIGHT_DATA, then .planwright)")
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
        output.line(
          `backed up ${streams.length} streams and ${files.length} files (${bytes} bytes) to ${folder}`,
        ),
      );
    });
}

/** `planwright restore`: creates a new system from a backup. */
export function restoreCommand(context: CommandContext): Command {
  return new Command("restore")
    .description("Restore a backup into a new data folder (with NATS_URL: its streams into that server)")
    .argument("<folder>", "Folder of the backup")
    .option(DATA, "New or empty data folder (default: PLANWRIGHT_DATA, then .planwright)")
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
        output.line(`restored the system as of ${createdAt} to ${dataDir}`);
        output.line(
          "Steps that run at most once and may have run since then need approval before they run again.",
        );
      });
    });
}

function dataFolder({ data }: { readonly data?: string }, { env }: CommandContext): string {
  return path.resolve(data ?? (env["PLANWRIGHT_DATA"] || DATA_DEFAULT));
}

/** Turns a permanent error into exit code 5 with its message. */
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
