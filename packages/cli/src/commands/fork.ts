import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { followAccepted } from "../plans/follow-accepted.ts";
import { readArguments } from "../plans/read-document.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";

const Options = z.object({
  edits: z.string().optional(),
  watch: z.boolean().default(false),
  wait: z.boolean().default(false),
});

/** `planwright fork`: creates a plan that repeats another from one of its steps on. */
export function forkCommand(context: CommandContext): Command {
  return new Command("fork")
    .description("Fork a plan from a step (earlier results are reused)")
    .argument("<plan>", PLAN_ARGUMENT)
    .argument("<step>", "Step to start from; it must have ended")
    .option("--edits <json>", "All arguments for that step (JSON, or @file)")
    .option("--watch", "Follow the new plan until it ends and print the answer")
    .option("--wait", "With --watch: keep waiting while approvals are pending")
    .action(async (plan: string, fromStep: string, given: unknown, command: Command) => {
      const { edits, watch, wait } = Options.parse(given);
      const fork = {
        fromStep,
        edits: edits === undefined ? undefined : await readArguments(edits, context),
      };
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const accepted = await client.plans.fork(await findPlanId(client, plan), fork);
      await followAccepted(accepted, { context, client, output, watch, wait });
    });
}
