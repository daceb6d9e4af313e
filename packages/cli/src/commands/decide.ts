import type { DecisionBody, Json, PlanView } from "@planwright/client";
import { Command } from "commander";
import { z } from "zod";
import { oneLine } from "@planwright/shared/terminal";
import type { CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { planLines } from "../plans/plan-text.ts";
import { readArguments } from "../plans/read-document.ts";

const Options = z.object({
  edits: z.string().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
});
type Options = z.infer<typeof Options>;

const DECIDED = {
  approve: "approved",
  reject: "rejected",
  answer: "answered",
  happened: "it had happened",
  "run-again": "to be run again",
} as const;

/** `planwright approve`: lets run what waits, as it is or as edited. */
export function approveCommand(context: CommandContext): Command {
  return deciding("approve", "let run what waits for a person")
    .option("--edits <json>", "all the arguments that are to run instead; @file reads them from a file")
    .action(async (planId: string, approvalId: string | undefined, given: unknown, command: Command) => {
      const options = Options.parse(given);
      const edits = options.edits === undefined ? {} : { edits: await readArguments(options.edits, context) };
      await decide(
        { planId, approvalId, said: { decision: "approve", ...edits }, options },
        command,
        context,
      );
    });
}

/** `planwright reject`: what waits has failed. */
export function rejectCommand(context: CommandContext): Command {
  return deciding("reject", "refuse what waits for a person: its step has failed").action(
    async (planId: string, approvalId: string | undefined, given: unknown, command: Command) => {
      const options = Options.parse(given);
      await decide({ planId, approvalId, said: { decision: "reject" }, options }, command, context);
    },
  );
}

/** `planwright answer`: the answer to a step's question. */
export function answerCommand(context: CommandContext): Command {
  return new Command("answer")
    .description("answer a question of a plan")
    .argument("<plan>", "its id")
    .argument("<approval>", "the question's id")
    .argument("<answer...>", "words, or JSON")
    .option("--by <name>", "who answers, for the record")
    .action(async (planId: string, approvalId: string, words: string[], given: unknown, command: Command) => {
      const answer = valueOf(words.join(" "));
      const options = Options.parse(given);
      await decide({ planId, approvalId, said: { decision: "answer", answer }, options }, command, context);
    });
}

function deciding(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument("<plan>", "its id")
    .argument("[approval]", "which of its approvals; the only one when it has one")
    .option("--reason <words>", "for the record")
    .option("--by <name>", "who decides, for the record");
}

type Deciding = {
  readonly planId: string;
  readonly approvalId: string | undefined;
  readonly said: DecisionBody;
  readonly options: Options;
};

async function decide(
  { planId, approvalId, said, options: { reason, by } }: Deciding,
  command: Command,
  context: CommandContext,
): Promise<void> {
  const client = clientOf(command, context);
  const before = await client.plans.get(planId);
  const id = approvalId ?? onlyPending(before);
  const view = await client.plans.approvals.decide(planId, id, { ...said, reason, by });
  const output = outputOf(command, context);
  output.result(view, () => {
    output.line(`${DECIDED[view.decision ?? "answer"]}: ${oneLine(view.question)}`);
    if (view.kind === "plan") for (const line of planLines(before)) output.line(line);
  });
}

function onlyPending({ approvals }: PlanView): string {
  const pending = approvals.filter(({ status }) => status === "pending");
  const [first, second] = pending;
  if (first === undefined) throw new CliError(EXIT.refused, "nothing of this plan waits for a person");
  if (second === undefined) return first.approvalId;
  const lines = pending.map(({ approvalId, question }) => `  ${approvalId}  ${oneLine(question)}`);
  throw new CliError(EXIT.usage, [`${pending.length} wait: name one of them`, ...lines].join("\n"));
}

/** Text that is JSON as what it says, other text as it is. */
function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
