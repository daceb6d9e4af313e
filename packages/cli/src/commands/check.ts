import { Command } from "commander";
import { oneLine } from "@planwright/shared/terminal";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { readPlanDocument } from "../plans/read-document.ts";

/** `planwright check`: lists all errors of a plan before it is submitted. */
export function checkCommand(context: CommandContext): Command {
  return new Command("check")
    .description("Validate a plan file (exits 1 if invalid)")
    .argument("<file>", "Plan as JSON (- reads stdin)")
    .action(async (file: string, _options: unknown, command: Command) => {
      const plan = await readPlanDocument(file, context);
      const reply = await clientOf(command, context).plans.check(plan);
      const output = outputOf(command, context);
      output.result(reply, () => {
        if (reply.valid) output.line("the plan is valid");
        for (const { stepId, field, message } of reply.issues) {
          const place = [stepId, field].filter((part) => part !== undefined && part !== "").join(", ");
          output.line(oneLine(place === "" ? message : `${place}: ${message}`));
        }
      });
      if (!reply.valid) context.endWith(EXIT.failed);
    });
}
