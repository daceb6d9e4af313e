import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { planPath } from "../plans/plan-path.ts";
import { readOption } from "../plans/read-document.ts";

const Reply = z.looseObject({ planId: z.string() });
const Options = z.object({ edits: z.string().optional() });

/** `planwright fork`: another plan out of one, from a step on. */
export function forkCommand(context: CommandContext): Command {
  return new Command("fork")
    .description(
      "make another plan out of one: what a step needs is carried over, it and what needs it runs anew",
    )
    .argument("<plan>", "its id")
    .argument("<step>", "the step to begin with; it has come to its end")
    .option("--edits <json>", "all its arguments, as it is to run with them; @file reads them from a file")
    .action(async (planId: string, fromStep: string, given: unknown, command: Command) => {
      const { edits } = Options.parse(given);
      const json = {
        fromStep,
        ...(edits === undefined ? {} : { edits: await readOption(edits, "--edits") }),
      };
      const reply = await clientOf(command, context).post(planPath(planId, "/fork"), { json }, Reply);
      const output = outputOf(command);
      output.result(reply, () => output.line(reply.planId));
    });
}
