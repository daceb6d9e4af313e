import type { DecisionBody, Json, PlanView } from "@planwright/client";
import { Command, Option } from "commander";
import { z } from "zod";
import { oneLine } from "@planwright/shared/terminal";
import { COMMAND, type CommandContext } from "../command-context.ts";
import { CliError, EXIT } from "../exit-codes.ts";
import { clientOf, outputOf } from "../global-options.ts";
import { planLines } from "../plans/plan-text.ts";
import { readArguments, readOption } from "../plans/read-document.ts";
import { findPlanId, PLAN_ARGUMENT } from "../plans/short-ids.ts";

const Options = z.object({
  edits: z.string().optional(),
  happened: z.union([z.literal(true), z.string()]).optional(),
  runAgain: z.literal(true).optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
});
type Options = z.infer<typeof Options>;

const DECIDED = {
  approve: "approved",
  reject: "rejected",
  answer: "answered",
  happened: "marked as having taken effect",
  "run-again": "will run again",
} as const;

const OTHER_KIND = "is an approval, not a question: use approve or reject";
const PENDING = `List plans that wait for approval with \`${COMMAND} list --status awaiting-approval\`.`;
/** Why an approval of this kind does not accept a decision. */
const KINDS: Readonly<Record<string, string>> = {
  question: "is a question: use answer or reject",
  "outcome-unknown":
    "asks whether its step took effect: use approve --happened, approve --run-again or reject",
};

/** `planwright approve`: approves a step or plan, with its arguments or edited ones, or settles an unknown outcome. */
export function approveCommand(context: CommandContext): Command {
  return deciding("approve", "Approve a pending step or plan")
    .addOption(
      new Option("--edits <json>", "All arguments to run with instead (JSON, or @file)").conflicts([
        "happened",
        "runAgain",
      ]),
    )
    .addOption(
      new Option(
        "--happened [output]",
        "For an unknown outcome: the step took effect, with this output (JSON, or @file)",
      ).conflicts("runAgain"),
    )
    .option("--run-again", "For an unknown outcome: run the step again")
    .action(async (plan: string, approvalId: string | undefined, given: unknown, command: Command) => {
      const options = Options.parse(given);
      await decide({ plan, approvalId, said: await approvalOf(options, context), options }, command, context);
    });
}

async function approvalOf(
  { edits, happened, runAgain }: Options,
  context: CommandContext,
): Promise<DecisionBody> {
  if (runAgain === true) return { decision: "run-again" };
  if (happened === true) return { decision: "happened" };
  if (happened !== undefined) {
    return { decision: "happened", output: (await readOption(happened, "--happened", context)) as Json };
  }
  return edits === undefined
    ? { decision: "approve" }
    : { decision: "approve", edits: await readArguments(edits, context) };
}

/** `planwright reject`: rejects a step or plan, which then fails. */
export function rejectCommand(context: CommandContext): Command {
  return deciding("reject", "Reject a pending approval (its step fails)").action(
    async (plan: string, approvalId: string | undefined, given: unknown, command: Command) => {
      const options = Options.parse(given);
      await decide({ plan, approvalId, said: { decision: "reject" }, options }, command, context);
    },
  );
}

/** `planwright answer`: answers a question of a step. */
export function answerCommand(context: CommandContext): Command {
  return new Command("answer")
    .description("Answer a question that a plan asks")
    .argument("<plan>", PLAN_ARGUMENT)
    .argument("<approval>", "Question ID")
    .argument("<answer...>", "Answer as text or JSON")
    .option("--by <name>", "Name recorded with the answer")
    .action(async (plan: string, approvalId: string, words: string[], given: unknown, command: Command) => {
      const answer = valueOf(words.join(" "));
      const options = Options.parse(given);
      await decide({ plan, approvalId, said: { decision: "answer", answer }, options }, command, context);
    });
}

function deciding(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .argument("<plan>", PLAN_ARGUMENT)
    .argument("[approval]", "Approval ID; may be omitted if only one is pending")
    .option("--reason <text>", "Comment recorded with the decision")
    .option("--by <name>", "Name recorded with the decision");
}

type Deciding = {
  /** Its id or the first characters of it. */
  readonly plan: string;
  readonly approvalId: string | undefined;
  readonly said: DecisionBody;
  readonly options: Options;
};

async function decide(
  { plan, approvalId, said, options: { reason, by } }: Deciding,
  command: Command,
  context: CommandContext,
): Promise<void> {
  const [client, output] = [clientOf(command, context), outputOf(command, context)];
  const planId = await findPlanId(client, plan);
  const before = await client.plans.get(planId);
  const id = approvalId ?? onlyPending(before);
  refuseWrongKind(before, id, said.decision);
  const view = await client.plans.approvals.decide(planId, id, { ...said, reason, by });
  output.result(view, () => {
    output.line(`${DECIDED[view.decision ?? "answer"]}: ${oneLine(view.question)}`);
    if (view.kind === "plan") for (const line of planLines(before)) output.line(line);
  });
}

/** @throws {CliError} `refused` when a pending approval does not accept this decision. */
function refuseWrongKind({ approvals }: PlanView, id: string, decision: DecisionBody["decision"]): void {
  const found = approvals.find(({ approvalId, status }) => approvalId === id && status === "pending");
  if (found === undefined || found.choices.includes(decision)) return;
  throw new CliError(EXIT.refused, `${id} ${KINDS[found.kind] ?? OTHER_KIND}`);
}

/** @throws {CliError} Unless exactly one approval is pending. */
function onlyPending({ approvals }: PlanView): string {
  const pending = approvals.filter(({ status }) => status === "pending");
  const [first, second] = pending;
  if (first === undefined) throw new CliError(EXIT.refused, "no pending approvals", { hint: PENDING });
  if (second === undefined) return first.approvalId;
  const lines = pending.map(({ approvalId, question }) => `  ${approvalId}  ${oneLine(question)}`);
  throw new CliError(
    EXIT.usage,
    [`${pending.length} approvals are pending: specify one`, ...lines].join("\n"),
  );
}

/** Parses text that is JSON; returns other text unchanged. */
function valueOf(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
