import type { SystemClient } from "@planwright/testkit";
import { createInterface } from "node:readline/promises";

const ARGS_CHARS_MAX = 1_500;

type Asked = { readonly planId: string; readonly approvalId: string };

/**
 * Shows what waits for a person, and decides it: by what is typed, or at once when everything is to be approved. Without
 * a terminal nothing is decided here; another one may do it meanwhile.
 */
export async function askPerson(
  client: SystemClient,
  { planId, approvalId }: Asked,
  { approveAll, url }: { readonly approveAll: boolean; readonly url: string },
): Promise<void> {
  const { approvals } = await client.view(planId);
  const asked = approvals.find((one) => one.approvalId === approvalId);
  const args = JSON.stringify(asked?.args ?? {}, undefined, 2);
  console.log(`\n  ${approvalId} waits: ${asked?.stepId ?? "the plan"} ${args.slice(0, ARGS_CHARS_MAX)}`);
  const path = `/v1/plans/${planId}/approvals/${approvalId}`;
  if (!approveAll && !process.stdin.isTTY) {
    console.log(
      `  decide it: curl -X POST ${url}${path} -H 'content-type: application/json' -d '{"decision": "approve"}'\n`,
    );
    return;
  }
  const decision = approveAll || (await saysYes()) ? "approve" : "reject";
  const response = await client.fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision, by: "you" }),
  });
  console.log(`  ${decision}: ${response.ok ? "done" : await response.text()}\n`);
}

async function saysYes(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y/i.test(await terminal.question("  approve? [y/n] "));
  } finally {
    terminal.close();
  }
}
