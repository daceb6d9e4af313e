import { Command, Option } from "commander";
import { z } from "zod";
import { oneLine } from "@planwright/shared/terminal";
import { COMMAND, type CommandContext } from "../command-context.ts";
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
const Retried = z.looseObject({
  retried: z.number(),
  refused: z.array(z.looseObject({ message: z.string() })),
  left: z.number(),
});
const Discarded = z.looseObject({ discarded: z.number(), left: z.number() });
const Options = z.object({
  retry: z.string().optional(),
  redrive: z.string().optional(),
  discard: z.string().optional(),
});

const COLUMNS: readonly Column<Group>[] = [
  { title: "GROUP", of: ({ group }) => group },
  { title: "COUNT", of: ({ count }) => String(count) },
  { title: "KIND", of: ({ kind }) => kind },
  { title: "LAST", of: ({ lastAt }) => lastAt.slice(0, 19).replace("T", " ") },
  { title: "CAUSE", of: ({ cause }) => cause },
];

/** `planwright dead-letters`: failed deliveries by cause, to retry or discard. */
export function deadLettersCommand(context: CommandContext): Command {
  return new Command("dead-letters")
    .description("list dead letters by cause, retry their steps, or discard them")
    .option("--retry <group>", "retry the steps of a group; `all` is every group")
    .addOption(new Option("--redrive <group>", "the old name of --retry").hideHelp())
    .option("--discard <group>", "discard a group; `all` is every group")
    .action(async (given: unknown, command: Command) => {
      const { redrive, retry = redrive, discard } = Options.parse(given);
      if (retry !== undefined && discard !== undefined) {
        throw new CliError(EXIT.usage, "wanted --retry or --discard, got both");
      }
      const client = clientOf(command, context);
      const output = outputOf(command, context);
      if (retry !== undefined) {
        const reply = await client.post("/v1/dead-letters/retry", { json: whichOf(retry) }, Retried);
        const { retried, refused, left } = reply;
        const [first] = refused;
        const why = first === undefined ? "" : `, ${refused.length} refused: ${oneLine(first.message)}`;
        if (retried + refused.length + left === 0) refuseUnknown(retry);
        if (retried === 0 && first !== undefined) throw new CliError(EXIT.refused, `0 retried${why}`);
        output.result(reply, () => output.line(`${retried} retried${why}; ${left} left`));
        return;
      }
      if (discard !== undefined) {
        const reply = await client.post("/v1/dead-letters/discard", { json: whichOf(discard) }, Discarded);
        if (reply.discarded + reply.left === 0) refuseUnknown(discard);
        output.result(reply, () => output.line(`${reply.discarded} discarded; ${reply.left} left`));
        return;
      }
      const page = await client.get("/v1/dead-letters?limit=1", LettersReply);
      output.result(page, () => output.table(COLUMNS, page.groups));
    });
}

/** A group without dead letters is a typing mistake, or was dealt with before. `all` may be empty. */
function refuseUnknown(group: string): void {
  if (group === "all") return;
  const name = JSON.stringify(group);
  throw new CliError(
    EXIT.refused,
    `there is no group ${name} of dead letters; list them with: ${COMMAND} dead-letters`,
  );
}

function whichOf(group: string): object {
  return group === "all" ? { all: true } : { group };
}
