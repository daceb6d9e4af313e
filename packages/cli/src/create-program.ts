import { Command } from "commander";
import { dataCommand } from "./commands/data.ts";
import { seedCommand } from "./commands/seed.ts";
import { toolsCommand } from "./commands/tools.ts";
import type { CommandContext } from "./command-context.ts";
import { URL_DEFAULT } from "./global-options.ts";

const AFTER = `
Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no gateway answers, 4 the key is missing or wrong, 5 refused.
Colours are left out with NO_COLOR and where the output is no terminal.`;

/** All commands, each of which is a file under \`commands/\`. */
export function createProgram(context: CommandContext): Command {
  const program = new Command("planwright")
    .description("Plans that turn a goal into an answer: see and steer them from a terminal.")
    .option("--url <url>", `the gateway; else PLANWRIGHT_URL, else ${URL_DEFAULT}`)
    .option("--api-key <key>", "the key for the gateway; else PLANWRIGHT_API_KEY")
    .option("--json", "print JSON")
    .addHelpText("after", AFTER)
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .helpCommand(true);
  for (const define of [toolsCommand, dataCommand, seedCommand]) {
    program.addCommand(define(context).copyInheritedSettings(program));
  }
  return program;
}
