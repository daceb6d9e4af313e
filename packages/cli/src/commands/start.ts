import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";

/** `planwright start`: runs the whole system on this machine. The supervisor parses the options. */
export function startCommand({ env, endWith }: CommandContext): Command {
  return new Command("start")
    .description("Start the whole system on this machine")
    .argument(
      "[options...]",
      "--port, --data, --executors, --one-process, --json-logs (see `planwright start --help`)",
    )
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: readonly string[]) => {
      // Loaded here: the other commands need none of the services' dependencies.
      const { startSystem } = await import("../start/start-system.ts");
      const code = await startSystem(args, { ...env });
      endWith(Object.values(EXIT).find((known) => known === code) ?? EXIT.failed);
    });
}
