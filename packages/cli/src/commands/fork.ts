import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { followAccepted } from "../plans/follow-accepted.ts";
import { readArguments } from "../plans/read-document.ts";

const Options = z.object({
  edits: z.string().optional(),
  watch: z.boolean().default(false),
  wait: z.boolean().default(false),
});

/** `planwright fork`: another plan out of one, from a step on. */
export function forkCommand(context: CommandContext): Command {
  return new Command("fork")
    .description(
      "make another plan out of one: what a step needs is carried over, it and what needs it runs anew",
    )
    .argument("<plan>", "its id")
    .argument("<step>", "the step to begin with; it has come to its end")
    .option("--edits <json>", "all its arguments, as it is to run with them; @file reads them from a file")
    .option("--watch", "follow the new plan to its end, and print the answer")
    .option("--wait", "with --watch: go on waiting also when only a person can let it go on")
    .action(async (planId: string, fromStep: string, given: unknown, command: Command) => {
      const { edits, watch, wait } = Options.parse(given);
      const fork = {
        fromStep,
        edits: edits === undefined ? undefined : await readArguments(edits, context),
      };
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const accepted = await client.plans.fork(planId, fork);
      await followAccepted(accepted, { context, client, output, watch, wait });
    });
}
