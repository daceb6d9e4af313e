import { Command } from "commander";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";

/** `planwright start`: the whole system on this machine. Its options are the supervisor's, which reads them itself. */
export function startCommand({ env, endWith }: CommandContext): Command {
  return new Command("start")
    .description("Start the whole system on this machine")
    .argument("[options...]", "--port, --data, --executors, --one-process, --json-logs; see start --help")
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: readonly string[]) => {
      // Loaded here, because the other commands need nothing of what services stand on.
      const { startSystem } = await import("../start/start-system.ts");
      const code = await startSystem(args, { ...env });
      endWith(Object.values(EXIT).find((known) => known === code) ?? EXIT.failed);
    });
}
