import { Command } from "commander";
import path from "node:path";
import { z } from "zod";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { outputOf } from "../global-options.ts";

const Options = z.object({ force: z.boolean().default(false), data: z.string().optional() });
const DATA_DEFAULT = ".planwright";

/** `planwright seed`: creates the demo store. */
export function seedCommand(context: CommandContext): Command {
  return new Command("seed")
    .description("Create the demo store, a SQLite database registered as the writable data source `store`")
    .option("--force", "Recreate the store even if it has changed")
    .option("--data <folder>", `Data folder (default: PLANWRIGHT_DATA, then ${DATA_DEFAULT})`)
    .action(async (_options: unknown, command: Command) => {
      const { force, data } = Options.parse(command.opts());
      const output = outputOf(command, context);
      const { env } = context;
      // Loaded here: the other commands need no database.
      const { seedStore } = await import("../store/seed-store.ts");
      const seeded = await seedStore({
        folder: data ?? (env["PLANWRIGHT_DATA"] || DATA_DEFAULT),
        named: env["PLANWRIGHT_SOURCES"] || undefined,
        force,
      });
      output.result(seeded, () => {
        const place = path.relative("", seeded.path) || seeded.path;
        output.line(`${DONE[seeded.database]} ${place}`);
        output.line(
          `${seeded.registered ? "registered" : "already registered"} as ${seeded.source} in ${seeded.config}`,
        );
      });
      output.note(`\nA running executor picks it up within seconds: see \`${COMMAND} data\`.`);
    });
}

/** The verb of the result line. */
const DONE = { created: "created", renewed: "recreated", unchanged: "already up to date:" } as const;
