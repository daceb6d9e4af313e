import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";

const Options = z.object({ reason: z.string().optional() });

/** `planwright cancel`, `pause` and `resume`. */
export function controlCommands(context: CommandContext): Command[] {
  return [
    control("cancel", "end a plan: what runs is stopped", context),
    control("pause", "let nothing new of a plan begin", context),
    control("resume", "let a paused plan go on", context),
  ];
}

function control(name: "cancel" | "pause" | "resume", description: string, context: CommandContext): Command {
  const command = new Command(name).description(description).argument("<plan>", "its id");
  if (name === "pause") command.option("--reason <words>", "for the record");
  return command.action(async (planId: string, given: unknown, self: Command) => {
    const options = name === "pause" ? Options.parse(given) : {};
    const reply = await clientOf(self, context).plans[name](planId, options);
    const output = outputOf(self, context);
    output.result(reply, () => output.line(reply.status));
  });
}
