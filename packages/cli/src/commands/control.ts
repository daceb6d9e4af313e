/** `planwright cancel`, `pause` and `resume`. */
import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";

const Options = z.object({ reason: z.string().optional() });

export function cancelCommand(context: CommandContext): Command {
  return control("cancel", "Cancel a plan and stop its running steps", context);
}

export function pauseCommand(context: CommandContext): Command {
  return control("pause", "Pause a plan (running steps finish)", context);
}

export function resumeCommand(context: CommandContext): Command {
  return control("resume", "Resume a paused plan", context);
}

function control(name: "cancel" | "pause" | "resume", description: string, context: CommandContext): Command {
  const command = new Command(name).description(description).argument("<plan>", PLAN_ARGUMENT);
  if (name === "pause") command.option("--reason <text>", "Reason recorded with the pause");
  return command.action(async (plan: string, given: unknown, self: Command) => {
    const options = name === "pause" ? Options.parse(given) : {};
    const [client, output] = [clientOf(self, context), outputOf(self, context)];
    const reply = await client.plans[name](await findPlanId(client, plan), options);
    output.result(reply, () => output.line(reply.status));
  });
}
