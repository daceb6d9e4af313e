import type { DeadLetterPage } from "@planwright/client";
import { Command, Option } from "commander";
import { z } from "zod";
import { oneLine } from "@planwright/shared/terminal";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import type { Output } from "../output/create-output.ts";
import type { Column } from "../output/table.ts";

type Group = DeadLetterPage["groups"][number];
const Options = z.object({
  retry: z.string().optional(),
  redrive: z.string().optional(),
  discard: z.string().optional(),
});

function columnsOf({ time }: Output): readonly Column<Group>[] {
  return [
    { title: "GROUP", of: ({ group }) => group },
    { title: "COUNT", of: ({ count }) => String(count) },
    { title: "KIND", of: ({ kind }) => kind },
    { title: "LAST", of: ({ lastAt }) => time(lastAt) },
    { title: "CAUSE", of: ({ cause }) => cause },
  ];
}

/** `planwright dead-letters`: failed deliveries by cause, to retry or discard. */
export function deadLettersCommand(context: CommandContext): Command {
  return new Command("dead-letters")
    .description("List, retry or discard dead letters")
    .option("--retry <group>", "Retry a group, or `all` groups")
    .addOption(new Option("--redrive <group>", "Old name of --retry").hideHelp())
    .option("--discard <group>", "Discard a group, or `all` groups")
    .action(async (given: unknown, command: Command) => {
      const { redrive, retry = redrive, discard } = Options.parse(given);
      if (retry !== undefined && discard !== undefined) {
        throw new CliError(EXIT.usage, "--retry and --discard cannot be combined: use one of them");
      }
      const client = clientOf(command, context);
      const output = outputOf(command, context);
      if (retry !== undefined) {
        const reply = await client.deadLetters.retryMany(whichOf(retry));
        const { retried, refused, left } = reply;
        const [first] = refused;
        const why = first === undefined ? "" : `, refused ${refused.length} (${oneLine(first.message)})`;
        if (retried + refused.length + left === 0) refuseUnknown(retry);
        if (retried === 0 && first !== undefined) throw new CliError(EXIT.refused, `retried 0${why}`);
        output.result(reply, () => output.line(`retried ${retried}${why}, ${left} remaining`));
        return;
      }
      if (discard !== undefined) {
        const reply = await client.deadLetters.discardMany(whichOf(discard));
        if (reply.discarded + reply.left === 0) refuseUnknown(discard);
        output.result(reply, () => output.line(`discarded ${reply.discarded}, ${reply.left} remaining`));
        return;
      }
      const page = await client.deadLetters.list({ limit: 1 }).firstPage();
      output.result(page, () => output.table(columnsOf(output), page.groups), page.groups);
    });
}

/** Refuses a group without dead letters: it is mistyped or has already been handled. `all` can be empty. */
function refuseUnknown(group: string): void {
  if (group === "all") return;
  const name = JSON.stringify(group);
  throw new CliError(
    EXIT.refused,
    `dead-letter group ${name} not found: list groups with \`${COMMAND} dead-letters\``,
  );
}

function whichOf(group: string): { all: true } | { group: string } {
  return group === "all" ? { all: true } : { group };
}
