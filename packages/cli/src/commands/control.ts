import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";

const Options = z.object({ reason: z.string().optional() });

/** `planwright cancel`, `pause` and `resume`. */
export function controlCommands(context: CommandContext): Command[] {
  return [
    control("cancel", "Cancel a plan and stop its running steps", context),
    control("pause", "Pause a plan (running steps finish)", context),
    control("resume", "Resume a paused plan", context),
  ];
}

function control(name: "cancel" | "pause" | "resume", description: string, context: CommandContext): Command {
  const command = new Command(name).description(description).argument("<plan>", "Plan ID");
  if (name === "pause") command.option("--reason <text>", "Reason recorded with the pause");
  return command.action(async (planId: string, given: unknown, self: Command) => {
    const options = name === "pause" ? Options.parse(given) : {};
    const reply = await clientOf(self, context).plans[name](planId, options);
    const output = outputOf(self, context);
    output.result(reply, () => output.line(reply.status));
  });
}
