/** `npm run example -- <name>`: runs one folder of examples/ on a separate system and shows what happens. */
import { buildDashboard } from "@planwright/launcher";
import { listExamples, startExample } from "@planwright/testkit";
import path from "node:path";
import { parseArgs } from "node:util";
import { askPerson } from "./example/ask-person.ts";
import { followExample } from "./example/follow-example.ts";
import { saveFiles } from "./example/save-files.ts";

const USAGE = `usage: npm run example -- <name> [--approve] [--keep]

  --approve   approve everything; without it, you are prompted for each approval, without a time limit
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
    `model: ${running.model === undefined ? "demo model: rules, not a language model" : "scripted replies"}\n`,
  );
  const { planId } = await client.submit(running.example.request);
  await followExample({
    client,
    planId,
    print: (line) => console.log(line),
    async onEvent({ type, data }) {
      // Scripts hold back the last step until another one has run, to show that the plan is still being streamed at that point.
      if (type === "step.succeeded") running.model?.release("last-step");
      if (type === "approval.requested")
        await askPerson(client, { planId, approvalId: data.approvalId }, { approveAll, url });
    },
  });
  const view = await client.view(planId);
  console.log(`\n${view.answer?.status ?? view.status}:\n${view.answer?.text ?? view.reason ?? ""}`);
  for (const file of await saveFiles(client, view, exampleName)) console.log(`file: ${file}`);
  if (view.status !== "succeeded") process.exitCode = 1;
  if (!keep) return;
  console.log(`\n${url}/plans/${planId}   (Ctrl-C ends)`);
  await new Promise((resolve) => process.once("SIGINT", resolve));
}
