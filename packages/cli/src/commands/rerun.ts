import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { followAccepted } from "../plans/follow-accepted.ts";
import { readOption, readPlanDocument } from "../plans/read-document.ts";

const Options = z.object({
  goal: z.string().optional(),
  strategy: z.string().optional(),
  plan: z.string().optional(),
  edits: z.string().optional(),
  key: z.string().optional(),
  watch: z.boolean().default(false),
  wait: z.boolean().default(false),
});
type Options = z.infer<typeof Options>;

const Edits = z.record(z.string(), z.unknown());

/** `planwright rerun`: the same goal, or the same submitted plan, once more. */
export function rerunCommand(context: CommandContext): Command {
  return new Command("rerun")
    .description("run a plan again: submit its goal, or the plan that was submitted, as a new plan")
    .argument("<plan>", "its id")
    .option("--goal <goal>", "another goal")
    .option("--strategy <strategy>", "another strategy")
    .option("--plan <file>", "another plan, from a JSON file; - reads standard input")
    .option(
      "--edits <json>",
      "fields of the submission to replace, null to remove one; @file reads them from a file",
    )
    .option("--key <key>", "its Idempotency-Key: the same key and edits again are the same plan")
    .option("--watch", "follow the new plan to its end, and print the answer")
    .option("--wait", "with --watch: keep waiting when only a person can let it continue")
    .action(async (planId: string, given: unknown, command: Command) => {
      const options = Options.parse(given);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const edits = await editsOf(options, context);
      const accepted = await client.plans.rerun(planId, { edits, idempotencyKey: options.key });
      await followAccepted(accepted, { client, output, ...options, context });
    });
}

/** @throws {CliError} `usage` when `--edits` is not a JSON object. */
async function editsOf(
  { goal, strategy, plan, edits }: Options,
  context: CommandContext,
): Promise<Record<string, unknown>> {
  const given = edits === undefined ? {} : await readOption(edits, "--edits", context);
  const fields = Edits.safeParse(given);
  if (!fields.success) {
    throw new CliError(EXIT.usage, '--edits: wanted a JSON object such as {"constraints": ["be brief"]}');
  }
  return {
    ...fields.data,
    ...(goal === undefined ? {} : { goal }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(plan === undefined ? {} : { plan: await readPlanDocument(plan, context) }),
  };
}
