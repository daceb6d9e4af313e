import { Command } from "commander";
import { z } from "zod";
import { oneLine } from "@planwright/shared/terminal";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Column } from "../output/table.ts";

const Group = z.looseObject({
  group: z.string(),
  kind: z.string(),
  cause: z.string(),
  count: z.number(),
  lastAt: z.string(),
});
type Group = z.infer<typeof Group>;
export const LettersReply = z.looseObject({ total: z.number(), groups: z.array(Group) });
const Redriven = z.looseObject({
  redriven: z.number(),
  refused: z.array(z.looseObject({ message: z.string() })),
  left: z.number(),
});
const Discarded = z.looseObject({ discarded: z.number(), left: z.number() });
const Options = z.object({ redrive: z.string().optional(), discard: z.string().optional() });

const COLUMNS: readonly Column<Group>[] = [
  { title: "GROUP", of: ({ group }) => group },
  { title: "COUNT", of: ({ count }) => String(count) },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "LAST", of: ({ lastAt }) => lastAt.slice(0, 19).replace("T", " ") },
  { title: "CAUSE", of: ({ cause }) => cause },
];

/** `planwright dead-letters`: work that was given up, and what is to become of it. */
export function deadLettersCommand(context: CommandContext): Command {
  return new Command("dead-letters")
    .description("list work that was given up, by its cause; try it once more, or forget it")
    .option("--redrive <group>", "try the steps of a group once more; `all` is every group")
    .option("--discard <group>", "forget the letters of a group; `all` is every group")
    .action(async (given: unknown, command: Command) => {
      const { redrive, discard } = Options.parse(given);
      if (redrive !== undefined && discard !== undefined) {
        throw new CliError(EXIT.usage, "wanted --redrive or --discard, got both");
      }
      const client = clientOf(command, context);
      const output = outputOf(command);
      if (redrive !== undefined) {
        const reply = await client.post("/v1/dead-letters/redrive", { json: whichOf(redrive) }, Redriven);
        const [first] = reply.refused;
        const why = first === undefined ? "" : `, ${reply.refused.length} refused: ${oneLine(first.message)}`;
        output.result(reply, () =>
          output.line(`${reply.redriven} tried once more${why}; ${reply.left} left`),
        );
        return;
      }
      if (discard !== undefined) {
        const reply = await client.post("/v1/dead-letters/discard", { json: whichOf(discard) }, Discarded);
        output.result(reply, () => output.line(`${reply.discarded} discarded; ${reply.left} left`));
        return;
      }
      const page = await client.get("/v1/dead-letters?limit=1", LettersReply);
      output.result(page, () => output.table(COLUMNS, page.groups));
    });
}

function whichOf(group: string): object {
  return group === "all" ? { all: true } : { group };
}
