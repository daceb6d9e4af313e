import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { sequenceNumber } from "../option-values.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";
import { watchPlan } from "../plans/watch-plan.ts";

const Options = z.object({
  after: z.number().default(0),
  wait: z.boolean().default(false),
});

/** `planwright watch`: follows a plan, then prints its answer. */
export function watchCommand(context: CommandContext): Command {
  return new Command("watch")
    .description("Follow a plan until it ends and print the answer (with --json: one line per event)")
    .argument("<plan>", PLAN_ARGUMENT)
    .option("--after <sequence>", "With --json: start after this event", sequenceNumber)
    .option("--wait", "Keep waiting while approvals are pending")
    .action(async (plan: string, given: unknown, command: Command) => {
      const { after, wait } = Options.parse(given);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const planId = await findPlanId(client, plan);
      context.endWith(await watchPlan({ client, output, planId, after, waits: wait }));
    });
}
