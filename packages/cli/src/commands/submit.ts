import type { SubmissionInput } from "@planwright/client";
import { oneLine } from "@planwright/shared/terminal";
import { Command, Option } from "commander";
import { z } from "zod";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { amount, repeatable, sizeRange } from "../option-values.ts";
import { followAccepted } from "../plans/watch-plan.ts";
import { readPlanDocument } from "../plans/read-document.ts";
import { assignmentOf, withValues } from "../templates/parameters.ts";
import { readTemplate } from "../templates/template-store.ts";

const Options = z.object({
  template: z.string().optional(),
  set: z.array(z.string()),
  plan: z.string().optional(),
  strategy: z.string().optional(),
  constraint: z.array(z.string()),
  data: z.array(z.string()),
  tool: z.array(z.string()),
  planSize: z.object({ min: z.number().optional(), max: z.number().optional() }).optional(),
  requireSources: z.boolean().default(false),
  priority: z.string().optional(),
  approvePlan: z.boolean().default(false),
  risk: z.string().optional(),
  usd: z.number().optional(),
  tokens: z.number().optional(),
  seconds: z.number().optional(),
  key: z.string().optional(),
  watch: z.boolean().default(false),
  wait: z.boolean().default(false),
});
type Options = z.infer<typeof Options>;

const PRIORITIES = ["low", "normal", "high"] as const;
const RISKS = ["low", "medium", "high", "never"] as const;

/** `planwright submit`: submits a goal, or a predefined plan. */
export function submitCommand(context: CommandContext): Command {
  return new Command("submit")
    .description("Submit a goal (use --watch to follow it)")
    .argument("[goal...]", "Goal in plain text; may be omitted with --template")
    .option("--template <template>", "Submit this template; the goal and options given here replace its own")
    .addOption(repeatable("--set <name=value>", "With --template: value of a parameter", "as saved"))
    .option("--plan <file>", "Run the plan in this JSON file instead of drafting one (- reads stdin)")
    .option(
      "--strategy <strategy>",
      "Planning strategy: auto, direct, sequential, parallel, hierarchical, waves, summarize, tree-search or code",
    )
    .addOption(repeatable("--constraint <sentence>", "Constraint that the plan must meet", "none"))
    .addOption(repeatable("--data <source>", "Data source that the plan may use", "all"))
    .addOption(repeatable("--tool <tool>", "Tool that the plan may use", "all"))
    .option("--plan-size <min..max>", "Number of steps to plan, such as 3..12, 3.. or ..12", sizeRange)
    .option("--require-sources", "Require a source for every sentence with a number or name")
    .option("--approve-plan", "Require approval of the plan before it runs")
    .addOption(new Option("--risk <risk>", "Lowest step risk that requires approval").choices(RISKS))
    .addOption(
      new Option("--priority <priority>", "Priority among your plans when workers are scarce").choices(
        PRIORITIES,
      ),
    )
    .option("--usd <dollars>", "Maximum cost in USD", amount)
    .option("--tokens <count>", "Maximum number of tokens", amount)
    .option("--seconds <count>", "Time limit in seconds", amount)
    .option("--key <key>", "Idempotency key (the same key and goal return the same plan)")
    .option("--watch", "Follow the plan until it ends and print the answer")
    .option("--wait", "With --watch: keep waiting while approvals are pending")
    .action(async (words: string[], given: unknown, command: Command) => {
      const options = Options.parse(given);
      const client = clientOf(command, context);
      const output = outputOf(command, context);
      const submission = await submissionOf(words.join(" "), options, context);
      const accepted = await client.plans.submit(submission, { idempotencyKey: options.key });
      await followAccepted(accepted, { client, output, ...options, context });
    });
}

/** @throws {CliError} `usage` without a goal and a template. */
async function submissionOf(
  goal: string,
  options: Options,
  context: CommandContext,
): Promise<SubmissionInput> {
  const body = await bodyOf(options, context);
  if (options.template === undefined) {
    if (goal === "")
      throw new CliError(EXIT.usage, "missing goal", { hint: `Usage: ${COMMAND} submit "your goal"` });
    if (options.set.length > 0) throw new CliError(EXIT.usage, "--set needs --template");
    return { goal, ...body };
  }
  const template = await readTemplate(context.env, options.template);
  const saved = withValues(template, options.set.map(assignmentOf));
  const merged = { ...saved, ...(goal === "" ? {} : { goal }), ...body };
  // For these, single fields are replaced.
  for (const field of ["approval", "budget"] as const)
    if (field in saved && field in body)
      Object.assign(merged, { [field]: { ...objectOf(saved, field), ...objectOf(body, field) } });
  // The gateway validates it.
  return merged as SubmissionInput;
}

function objectOf(fields: object, name: string): object {
  const value: unknown = Reflect.get(fields, name);
  return typeof value === "object" && value !== null ? value : {};
}

/** Builds the request body. The gateway checks it and fills in defaults. */
async function bodyOf(options: Options, context: CommandContext): Promise<object> {
  const { strategy, constraint, data, tool, planSize, approvePlan, risk, usd, tokens, seconds } = options;
  const { requireSources, priority } = options;
  const approval = definedOf({ plan: approvePlan ? true : undefined, risk });
  const budget = definedOf({ usd, tokens, seconds });
  return definedOf({
    strategy,
    plan: options.plan === undefined ? undefined : await readPlanDocument(options.plan, context),
    constraints: constraint.length === 0 ? undefined : constraint,
    data: data.length === 0 ? undefined : data,
    tools: tool.length === 0 ? undefined : tool,
    planSize,
    requireSources: requireSources ? true : undefined,
    priority,
    approval: Object.keys(approval).length === 0 ? undefined : approval,
    budget: Object.keys(budget).length === 0 ? undefined : budget,
  });
}

function definedOf(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

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
