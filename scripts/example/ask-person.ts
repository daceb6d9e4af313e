import type { ApprovalView } from "@planwright/plan";
import type { SystemClient } from "@planwright/testkit";
import { planLines } from "@planwright/cli";
import { createInterface } from "node:readline/promises";

const ARGS_CHARS_MAX = 1_500;

type Asked = { readonly planId: string; readonly approvalId: string };
type Decision = { readonly decision: "approve" | "reject" | "answer"; readonly answer?: string };

/**
 * Shows a pending approval and decides it: by the user's input, or immediately when everything is to be approved.
 * Without a terminal it decides nothing: it prints the commands that decide it in another terminal.
 */
export async function askPerson(
  client: SystemClient,
  { planId, approvalId }: Asked,
  { approveAll, url }: { readonly approveAll: boolean; readonly url: string },
): Promise<void> {
  const view = await client.view(planId);
  const asked = view.approvals.find((one) => one.approvalId === approvalId);
  if (asked === undefined) return;
  console.log(`\n  needs approval: ${asked.question}`);
  if (asked.kind === "plan") for (const line of planLines(view)) console.log(`  ${line}`);
  else if (asked.args !== undefined) {
    console.log(`  ${JSON.stringify(asked.args, undefined, 2).slice(0, ARGS_CHARS_MAX)}`);
  }
  const isQuestion = asked.choices.includes("answer");
  const decision = approveAll && !isQuestion ? { decision: "approve" as const } : await askAtTerminal(asked);
  if (decision === undefined) {
    for (const line of commandsFor(asked, { planId, url })) console.log(line);
    return;
  }
  const done = await client.api.plans.approvals
    .decide(planId, approvalId, { ...decision, by: "you" })
    .then(() => "done", String);
  console.log(`  ${decision.decision}: ${done}\n`);
}

/** Undefined without a terminal. */
async function askAtTerminal({ choices }: ApprovalView): Promise<Decision | undefined> {
  if (!process.stdin.isTTY) return undefined;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    if (choices.includes("answer")) {
      return { decision: "answer", answer: await terminal.question("  your answer: ") };
    }
    const isYes = /^y/i.test(await terminal.question("  approve? [y/n] "));
    return { decision: isYes ? "approve" : "reject" };
  } finally {
    terminal.close();
  }
}

function commandsFor(
  { approvalId, choices }: ApprovalView,
  { planId, url }: { readonly planId: string; readonly url: string },
): string[] {
  const command = (rest: string) => `    npx planwright --url ${url} ${rest}`;
  const decide = choices.includes("answer")
    ? [command(`answer ${planId} ${approvalId} "your answer"`)]
    : [command(`approve ${planId} ${approvalId}`), command(`reject ${planId} ${approvalId}`)];
  return ["  decide it in another terminal, in this folder; this command waits:", ...decide, ""];
}
