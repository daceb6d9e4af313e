import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";

/** `planwright worker`: one more executor for a system that runs elsewhere, with the tools of this folder. */
export function workerCommand({ env }: CommandContext): Command {
  return new Command("worker")
    .description("Run a worker with this folder's tools for the system whose NATS_URL is set")
    .action(async () => {
      if (!env["NATS_URL"]) {
        throw new CliError(
          EXIT.usage,
          "NATS_URL is not set: set it to the system's nats-server, such as nats://127.0.0.1:4222",
        );
      }
      // It reads the environment itself, runs until a signal stops it, and sets the exit code.
      await import("../start/services/executor.ts");
    });
}
