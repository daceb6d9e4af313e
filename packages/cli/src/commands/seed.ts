import { Command } from "commander";
import path from "node:path";
import { z } from "zod";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { outputOf } from "../global-options.ts";

const Options = z.object({ force: z.boolean().default(false), data: z.string().optional() });
const DATA_DEFAULT = ".planwright";

/** `planwright seed`: the demo store, as new. */
export function seedCommand(context: CommandContext): Command {
  return new Command("seed")
    .description("make the demo store: a SQLite database, registered as the writable data source `store`")
    .option("--force", "make it anew although it has changed")
    .option("--data <folder>", `where to; else PLANWRIGHT_DATA, else ${DATA_DEFAULT}`)
    .action(async (_options: unknown, command: Command) => {
      const { force, data } = Options.parse(command.opts());
      const output = outputOf(command, context);
      const { env } = context;
      // Loaded here, because the other commands need no database.
      const { seedStore } = await import("../store/seed-store.ts");
      const seeded = await seedStore({
        folder: data ?? (env["PLANWRIGHT_DATA"] || DATA_DEFAULT),
        named: env["PLANWRIGHT_SOURCES"] || undefined,
        force,
      });
      output.result(seeded, () => {
        const place = path.relative("", seeded.path) || seeded.path;
        output.line(`${WORDS[seeded.database]} ${place}`);
        output.line(
          `${seeded.registered ? "registered" : "it stands"} as ${seeded.source} in ${seeded.config}`,
        );
      });
      output.note(`\nA running executor announces it within seconds: see \`${COMMAND} data\`.`);
    });
}

const WORDS = { created: "created", renewed: "made anew", unchanged: "as new already:" } as const;
