/** `planwright cancel`, `pause` and `resume`. */
import { once } from "node:events";
import { createInterface } from "node:readline";
import { oneLine } from "@planwright/shared/terminal";
import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";
import { toCliError } from "../to-cli-error.ts";

const DeleteOptions = z.object({ yes: z.boolean().default(false) });

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

/** `planwright delete`: deletes finished plans, after a confirmation when stdin is a terminal. */
export function deleteCommand(context: CommandContext): Command {
  return new Command("delete")
    .description("Delete finished plans and all their stored data")
    .argument("<plan...>", "IDs of the plans, or their first characters")
    .option("--yes", "Skip the confirmation prompt")
    .action(async (named: string[], given: unknown, command: Command) => {
      const { yes } = DeleteOptions.parse(given);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const planIds: string[] = [];
      for (const plan of named) planIds.push(await findPlanId(client, plan));
      if (!yes && context.stdin.isTTY === true) await confirm(planIds, context);
      const deleted: string[] = [];
      const refused: { readonly planId: string; readonly message: string }[] = [];
      for (const planId of new Set(planIds)) {
        try {
          await client.plans.delete(planId);
          deleted.push(planId);
        } catch (error) {
          const known = toCliError(error);
          // Any other error, such as an unreachable gateway, would fail for the remaining plans too.
          if (known?.exitCode !== EXIT.refused) throw error;
          refused.push({ planId, message: known.message });
        }
      }
      // When nothing was deleted, the error below is the whole result.
      if (deleted.length > 0)
        output.result({ deleted, refused }, () => {
          for (const planId of deleted) output.line(`deleted ${planId}`);
        });
      if (refused.length === 0) return;
      throw new CliError(
        EXIT.refused,
        refused.map(({ planId, message }) => `${planId}: ${message}`).join("\n"),
      );
    });
}

/** @throws {CliError} `usage` unless the answer is yes. */
async function confirm(planIds: readonly string[], { stdin, stderr }: CommandContext): Promise<void> {
  const what = planIds.length === 1 ? `plan ${planIds.join("")}` : `${planIds.length} plans`;
  stderr.write(oneLine(`Permanently delete ${what}, including log, files and sub-plans? [y/N] `));
  const lines = createInterface({ input: stdin });
  const [answer = ""] = (await Promise.race([once(lines, "line"), once(lines, "close")])) as string[];
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(EXIT.usage, "not confirmed: nothing was deleted");
}
