/** `npm run example -- <name>`: runs one folder of examples/ on a system of its own and shows what happens. */
import { buildDashboard } from "@planwright/launcher";
import { listExamples, startExample } from "@planwright/testkit";
import type { PlanEvent } from "@planwright/plan";
import path from "node:path";
import { parseArgs } from "node:util";
import { askPerson } from "./example/ask-person.ts";
import { saveFiles } from "./example/save-files.ts";

const USAGE = `usage: npm run example -- <name> [--approve] [--keep]

  --approve   approve whatever waits for a person; without it you are asked
  --keep      leave the system running afterwards, with the plan on its dashboard, until Ctrl-C

HTTP_FETCH_ALLOW names hosts and ports that its steps may reach although their address is private.

examples: ${(await listExamples()).join(", ")}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    approve: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const [name] = positionals;

if (values.help || name === undefined) console.log(USAGE);
else await run(name, values);

async function run(
  exampleName: string,
  { keep, approve: approveAll }: { readonly keep: boolean; readonly approve: boolean },
): Promise<void> {
  if (keep)
    await buildDashboard({
      packageDir: path.resolve("packages/dashboard"),
      signal: new AbortController().signal,
    });
  const { HTTP_FETCH_ALLOW } = process.env;
  const env = HTTP_FETCH_ALLOW === undefined ? {} : { HTTP_FETCH_ALLOW };
  await using running = await startExample(exampleName, { env });
  const { client, url } = running.system;
  if (running.server !== undefined) console.log(`world outside: ${running.server.url}`);
  console.log(`goal: ${String(running.example.request["goal"])}`);
  console.log(
    `model: ${running.model === undefined ? "offline model: rules, not a language model" : "scripted replies"}\n`,
  );
  const { planId } = await client.submit(running.example.request);
  const startedAt = performance.now();
  for await (const { seq, event } of client.events(planId)) {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(2);
    // Scripts hold back the last step until another one has run, to show that the plan is still streaming then.
    if (event.type === "step.succeeded") running.model?.release("last-step");
    console.log(
      `${seconds.padStart(6)} s  ${String(seq).padStart(3)}  ${event.type.padEnd(18)} ${detailOf(event)}`,
    );
    if (event.type === "approval.requested")
      await askPerson(client, { planId, approvalId: event.data.approvalId }, { approveAll, url });
    if (event.type === "plan.ended") break;
  }
  const view = await client.view(planId);
  console.log(`\n${view.answer?.status ?? view.status}:\n${view.answer?.text ?? view.reason ?? ""}`);
  for (const file of await saveFiles(client, view, exampleName)) console.log(`file: ${file}`);
  if (view.status !== "succeeded") process.exitCode = 1;
  if (!keep) return;
  console.log(`\n${url}/plans/${planId}   (Ctrl-C ends)`);
  await new Promise((resolve) => process.once("SIGINT", resolve));
}

function detailOf({ type, data }: PlanEvent): string {
  if (type === "step.planned") return `${data.step.id}: ${data.step.description}`;
  if (type === "step.succeeded") return `${data.stepId}, ${Math.round(data.durationMs)} ms`;
  if (type === "step.failed") return `${data.stepId}: ${data.error.message}`;
  if (type === "step.started") return data.stepId;
  if (type === "plan.ended") return data.outcome;
  return "";
}
