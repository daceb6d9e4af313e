import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { watchPlan } from "../plans/watch-plan.ts";

const Options = z.object({
  after: z.coerce.number().pipe(z.int().min(0)).default(0),
  wait: z.boolean().default(false),
});

/** `planwright watch`: a plan as it goes on, and its answer. */
export function watchCommand(context: CommandContext): Command {
  return new Command("watch")
    .description(
      "follow a plan to its end, and print the answer; with --json, a line for each fact of its log",
    )
    .argument("<plan>", "its id")
    .option("--after <fact>", "with --json: the number of the last fact that is known")
    .option("--wait", "go on waiting also when only a person can let it go on")
    .action(async (planId: string, given: unknown, command: Command) => {
      const { after, wait } = Options.parse(given);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      context.endWith(await watchPlan({ client, output, planId, after, waits: wait }));
    });
}
