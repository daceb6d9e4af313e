/**
 * `npm run docs`: generates docs/reference from the schemas, so that it matches the code, and then builds the docs site.
 * `-- --check` writes nothing to docs/reference and fails if something there would change; it still builds the site, because
 * the build finds dead links.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { agentsSchema } from "./docs/agents-schema.ts";
import { buildSite } from "./docs/build-site.ts";
import { cliPage } from "./docs/cli-page.ts";
import { configurationPage } from "./docs/configuration-page.ts";
import { contractTypes } from "./docs/contract-types.ts";
import { eventsPage } from "./docs/events-page.ts";
import { httpPage } from "./docs/http-page.ts";
import { metricsPage } from "./docs/metrics-page.ts";
import { natsPage } from "./docs/nats-page.ts";
import { planLanguagePage } from "./docs/plan-language-page.ts";
import { promptsPage } from "./docs/prompts-page.ts";
import { askSystem } from "./docs/running-system.ts";
import { toolTypes } from "./docs/tool-types.ts";
import { toolsPage } from "./docs/tools-page.ts";
import { websocketPage } from "./docs/websocket-page.ts";
import { faultsOfPrompts, PROMPT_RECORD, readPromptRecord, withPrompts } from "./prompts/prompt-record.ts";
import { readPrompts } from "./prompts/read-prompts.ts";

const FOLDER = "docs/reference";
const TOOL_TYPES = "packages/client/src/builder/built-in-tools.ts";
const CONTRACT_TYPES = "packages/client/src/contract.ts";

const prompts = await readPrompts();
const recorded = await readPromptRecord();
const faults = faultsOfPrompts(prompts, recorded);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);

const { openApi, metrics, tools } = await askSystem();
const pages = new Map<string, string>([
  [path.relative(FOLDER, TOOL_TYPES), toolTypes(tools)],
  [path.relative(FOLDER, CONTRACT_TYPES), contractTypes()],
  ["agents.schema.json", agentsSchema()],
  ["cli.md", cliPage()],
  ["configuration.md", configurationPage()],
  ["events.md", eventsPage()],
  ["http.md", httpPage(openApi)],
  ["metrics.md", metricsPage(metrics)],
  ["nats.md", natsPage()],
  ["plan-language.md", planLanguagePage()],
  ["prompts.md", promptsPage(prompts)],
  ["tools.md", toolsPage(tools)],
  ["websocket.md", websocketPage()],
  [path.basename(PROMPT_RECORD), `${JSON.stringify(withPrompts(recorded, prompts), undefined, 2)}\n`],
]);

const isCheck = process.argv.includes("--check");
const stale: string[] = [];
await mkdir(FOLDER, { recursive: true });
for (const [name, text] of pages) {
  const file = path.join(FOLDER, name);
  const present = await readFile(file, "utf8").catch(() => "");
  if (present === text) continue;
  if (isCheck) stale.push(file);
  else await writeFile(file, text);
}
if (stale.length > 0) {
  console.error(`out of date, run "npm run docs": ${stale.join(", ")}`);
  process.exitCode = 1;
}

const started = performance.now();
if ((await buildSite(process.cwd(), new AbortController().signal)) === "built")
  console.log(`docs site built in ${((performance.now() - started) / 1_000).toFixed(1)} s`);
