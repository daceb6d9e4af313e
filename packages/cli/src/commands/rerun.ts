import { Command } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { followAccepted } from "../plans/watch-plan.ts";
import { readArguments, readOption, readPlanDocument } from "../plans/read-document.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";

const ForkOptions = z.object({
  edits: z.string().optional(),
  watch: z.boolean().default(false),
  wait: z.boolean().default(false),
});

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

/** `planwright rerun`: submits a goal, or a submitted plan, again. */
export function rerunCommand(context: CommandContext): Command {
  return new Command("rerun")
    .description("Submit the same goal or plan again, as a new plan")
    .argument("<plan>", PLAN_ARGUMENT)
    .option("--goal <goal>", "Replace the goal")
    .option("--strategy <strategy>", "Replace the strategy")
    .option("--plan <file>", "Replace the plan with this JSON file (- reads stdin)")
    .option("--edits <json>", "Replace fields of the submission; null removes a field (JSON, or @file)")
    .option("--key <key>", "Idempotency key (the same key and edits return the same plan)")
    .option("--watch", "Follow the new plan until it ends and print the answer")
    .option("--wait", "With --watch: keep waiting while approvals are pending")
    .action(async (plan: string, given: unknown, command: Command) => {
      const options = Options.parse(given);
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const edits = await editsOf(options, context);
      const planId = await findPlanId(client, plan);
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
    throw new CliError(EXIT.usage, '--edits must be a JSON object such as {"constraints": ["be brief"]}');
  }
  return {
    ...fields.data,
    ...(goal === undefined ? {} : { goal }),
    ...(strategy === undefined ? {} : { strategy }),
    ...(plan === undefined ? {} : { plan: await readPlanDocument(plan, context) }),
  };
}

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
      const { edits, watch, wait } = ForkOptions.parse(given);
      const fork = {
        fromStep,
        edits: edits === undefined ? undefined : await readArguments(edits, context),
      };
      const [client, output] = [clientOf(command, context), outputOf(command, context)];
      const accepted = await client.plans.fork(await findPlanId(client, plan), fork);
      await followAccepted(accepted, { context, client, output, watch, wait });
    });
}
