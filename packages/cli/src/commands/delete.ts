import { oneLine } from "@planwright/shared/terminal";
import { Command } from "commander";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { toCliError } from "../to-cli-error.ts";

const Options = z.object({ yes: z.boolean().default(false) });

/** `planwright delete`: erases ended plans, after a question where a person is at the terminal. */
export function deleteCommand(context: CommandContext): Command {
  return new Command("delete")
    .description("delete ended plans with everything that is stored of them")
    .argument("<plan...>", "their ids")
    .option("--yes", "ask no question")
    .action(async (planIds: string[], given: unknown, command: Command) => {
      const { yes } = Options.parse(given);
      const { plans } = clientOf(command, context);
      const output = outputOf(command, context);
      if (!yes && context.stdin.isTTY === true) await confirm(planIds, context);
      const deleted: string[] = [];
      const refused: { readonly planId: string; readonly message: string }[] = [];
      for (const planId of new Set(planIds)) {
        try {
          await plans.delete(planId);
          deleted.push(planId);
        } catch (error) {
          const told = toCliError(error);
          // A gateway that does not answer deletes none of the others either.
          if (told?.exitCode !== EXIT.refused) throw error;
          refused.push({ planId, message: told.message });
        }
      }
      // Where nothing was deleted, the refusal says it all.
      if (deleted.length > 0)
        output.result({ deleted, refused }, () => {
          for (const planId of deleted) output.line(`${planId} deleted`);
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
  stderr.write(oneLine(`Delete ${what} for good, with log, files and sub-plans? [y/N] `));
  const lines = createInterface({ input: stdin });
  const [answer = ""] = (await Promise.race([once(lines, "line"), once(lines, "close")])) as string[];
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(EXIT.usage, "nothing was deleted");
}
