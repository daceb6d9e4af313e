import type { SubmissionInput } from "@planwright/client";
import { Command, Option } from "commander";
import { z } from "zod";
import type { CommandContext } from "../command-context.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { amount, repeatable, sizeRange } from "../option-values.ts";
import { followAccepted } from "../plans/follow-accepted.ts";
import { readPlanDocument } from "../plans/read-document.ts";

const Options = z.object({
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

/** `planwright submit`: a goal, or a plan of one's own. */
export function submitCommand(context: CommandContext): Command {
  return new Command("submit")
    .description("submit a goal, and say its plan's id; with --watch, follow it to its answer")
    .argument("<goal...>", "what is wanted, in words")
    .option("--plan <file>", "run the plan of this JSON file as it is; - reads standard input")
    .option(
      "--strategy <strategy>",
      "auto, direct, sequential, parallel, hierarchical, waves, summarize, tree-search or code",
    )
    .addOption(repeatable("--constraint <sentence>", "what to keep to", "nothing"))
    .addOption(repeatable("--data <source>", "a data source that the plan may use", "all"))
    .addOption(repeatable("--tool <tool>", "a tool that the plan may use", "all"))
    .option("--plan-size <min..max>", "how many steps to plan, such as 3..12, 3.. or ..12", sizeRange)
    .option("--require-sources", "require a source in every sentence with a figure or a name")
    .option("--approve-plan", "a person sees the plan before any of it runs")
    .addOption(
      new Option("--risk <risk>", "the lowest risk of a step that waits for a person").choices(RISKS),
    )
    .addOption(
      new Option("--priority <priority>", "beside your other plans, where workers are few").choices(
        PRIORITIES,
      ),
    )
    .option("--usd <dollars>", "what it may cost at most", amount)
    .option("--tokens <count>", "how many tokens it may use at most", amount)
    .option("--seconds <count>", "how long it may take at most", amount)
    .option("--key <key>", "its Idempotency-Key: the same key and goal again are the same plan")
    .option("--watch", "follow it to its end, and print the answer")
    .option("--wait", "with --watch: go on waiting also when only a person can let it go on")
    .action(async (words: string[], given: unknown, command: Command) => {
      const options = Options.parse(given);
      const client = clientOf(command, context);
      const output = outputOf(command, context);
      const submission: SubmissionInput = { goal: words.join(" "), ...(await bodyOf(options, context)) };
      const accepted = await client.plans.submit(submission, { idempotencyKey: options.key });
      await followAccepted(accepted, { client, output, ...options, context });
    });
}

/** The gateway decides about what is left out, and checks the rest. */
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
