import { Command } from "commander";
import { z } from "zod";
import { oneLine } from "@planwright/shared/terminal";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { readPlanDocument } from "../plans/read-document.ts";

const Issue = z.looseObject({
  stepId: z.string().optional(),
  field: z.string().optional(),
  message: z.string(),
});
const Reply = z.object({ valid: z.boolean(), issues: z.array(Issue) });

/** `planwright check`: every fault of a plan, before it is submitted. */
export function checkCommand(context: CommandContext): Command {
  return new Command("check")
    .description("say what is wrong with a plan; it ends with 1 when anything is")
    .argument("<file>", "the plan as JSON; - reads standard input")
    .action(async (file: string, _options: unknown, command: Command) => {
      const json = { plan: await readPlanDocument(file, context) };
      const reply = await clientOf(command, context).post("/v1/plans/check", { json }, Reply);
      const output = outputOf(command, context);
      output.result(reply, () => {
        if (reply.valid) output.line("a valid plan");
        for (const { stepId, field, message } of reply.issues) {
          const place = [stepId, field].filter((part) => part !== undefined && part !== "").join(", ");
          output.line(oneLine(place === "" ? message : `${place}: ${message}`));
        }
      });
      if (!reply.valid) context.endWith(EXIT.failed);
    });
}
