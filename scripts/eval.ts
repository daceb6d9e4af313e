/** `npm run eval`: runs examples against the configured model, and reports how each went. */
import type { PlanEvent } from "@planwright/plan";
import {
  type Example,
  type ExampleServer,
  listExamples,
  loadExample,
  seedExample,
  startExampleServer,
  startScriptedModel,
  startSystem,
  type ScriptedModel,
  type SystemClient,
} from "@planwright/testkit";
import { parseArgs } from "node:util";
import { showTable } from "./eval/show-table.ts";
import { type Measured, measurePlan } from "./eval/measure-plan.ts";

const SECONDS_MAX = 300;
const USAGE = `usage: npm run eval -- [--json] [--seconds n] [example ...]

Runs all examples, or the named ones, on a separate system. With OPENAI_API_KEY or OPENAI_BASE_URL set,
against that model; otherwise with the replies that each example brings. Approvals are granted automatically.

  --json        print JSON instead of a table
  --seconds n   how long one example may take; default ${SECONDS_MAX}

Some examples show what fails: with their own replies their plans are to end as partial, and the table says so.

Exits with 0 if every plan ended as expected, with 1 if one did not, with 2 if the command is wrong.`;

const MODEL_SETTINGS =
  /^(?:OPENAI_|(?:PLANNER|EXECUTOR|REFLECTOR)_(?:MODEL|BASE_URL|API_KEY|HEADERS|FALLBACKS|TEMPERATURE|REASONING_EFFORT)$|MODEL_)/;

process.exitCode = await main();

async function main(): Promise<number> {
  const known = await listExamples();
  let options: ReturnType<typeof readOptions>;
  try {
    options = readOptions(known);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const measured = await evaluate(options.names, options.seconds * 1_000);
  console.log(options.json ? JSON.stringify(measured, undefined, 2) : showTable(measured));
  return measured.every(({ asExpected }) => asExpected) ? 0 : 1;
}

function readOptions(known: readonly string[]) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      seconds: { type: "string", default: String(SECONDS_MAX) },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const unknown = positionals.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`no example "${unknown}"; there are: ${known.join(", ")}`);
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error(`wanted a number of seconds above 0, got ${values.seconds}`);
  return { ...values, seconds, names: positionals.length === 0 ? known : positionals };
}

/** The settings of the configured model, if any. */
function configuredModel(): Record<string, string> | undefined {
  const own = Object.entries(process.env).flatMap(([name, value]) =>
    MODEL_SETTINGS.test(name) && value !== undefined && value !== "" ? [[name, value] as const] : [],
  );
  const settings = Object.fromEntries(own);
  return "OPENAI_API_KEY" in settings || "OPENAI_BASE_URL" in settings ? settings : undefined;
}

async function evaluate(names: readonly string[], msMax: number): Promise<Measured[]> {
  const env = configuredModel();
  console.error(env === undefined ? "model: scripted replies" : "model: as configured");
  await using cleanup = new AsyncDisposableStack();
  const model = env === undefined ? cleanup.use(await startScriptedModel({})) : undefined;
  const worlds = await startWorlds(names, cleanup);
  const settings = { ...envOf(worlds), ...(await sourcesOf(names, cleanup)), ...env };
  const modelUrl = model === undefined ? {} : { modelUrl: model.url };
  const system = cleanup.use(await startSystem({ ...modelUrl, env: settings }));
  const measured: Measured[] = [];
  for (const name of await withAgentsLast(names)) {
    const { agentsFile } = await loadExample(name);
    if (agentsFile !== undefined) await system.start("executor", { PLANWRIGHT_AGENTS: agentsFile });
    const request = worlds.get(name)?.request;
    const one = await runExample(name, { client: system.client, model, msMax, request });
    console.error(`${name}: ${one.verdict}`);
    measured.push(one);
  }
  return measured;
}

type Worlds = ReadonlyMap<string, ExampleServer>;

/** The servers of the examples, for as long as the system runs. */
async function startWorlds(names: readonly string[], cleanup: AsyncDisposableStack): Promise<Worlds> {
  const worlds = new Map<string, ExampleServer>();
  for (const name of names) {
    const { serverFile } = await loadExample(name);
    if (serverFile !== undefined) worlds.set(name, cleanup.use(await startExampleServer(name)));
  }
  return worlds;
}

/** The settings with which executors reach all of them. */
function envOf(worlds: Worlds): Record<string, string> {
  const settings: Record<string, string> = {};
  const hosts: string[] = [];
  for (const { env } of worlds.values()) {
    Object.assign(settings, env);
    hosts.push(env["HTTP_FETCH_ALLOW"] ?? "");
  }
  return hosts.length === 0 ? settings : { ...settings, HTTP_FETCH_ALLOW: hosts.join(",") };
}

/** The example's data source. An installation has one `sources.json`, so only one of the examples can bring one. */
async function sourcesOf(
  names: readonly string[],
  cleanup: AsyncDisposableStack,
): Promise<Record<string, string>> {
  const examples = await Promise.all(names.map(loadExample));
  const [seedFile, ...others] = examples.flatMap(({ seedFile: file }) => file ?? []);
  if (others.length > 0) throw new Error(`only one example may have a seed.sql, got ${others.length + 1}`);
  return seedFile === undefined ? {} : { PLANWRIGHT_SOURCES: await seedExample(seedFile, cleanup) };
}

/** Agent types are part of the prompts of every plan drafted after their announcement. */
async function withAgentsLast(names: readonly string[]): Promise<string[]> {
  const examples = await Promise.all(names.map(loadExample));
  const [without, having] = [
    examples.filter(({ agentsFile }) => agentsFile === undefined),
    examples.filter(({ agentsFile }) => agentsFile !== undefined),
  ];
  return [...without, ...having].map(({ name }) => name);
}

type Running = {
  readonly client: SystemClient;
  readonly model: ScriptedModel | undefined;
  readonly msMax: number;
  /** The goal to submit instead of the example's own. */
  readonly request: Example["request"] | undefined;
};

async function runExample(name: string, { client, model, msMax, ...own }: Running): Promise<Measured> {
  const { request, script = {}, expected = "succeeded" } = await loadExample(name);
  model?.play(script);
  const startedAt = performance.now();
  const events: PlanEvent[] = [];
  const { planId } = await client.submit(own.request ?? request);
  try {
    for await (const { event } of client.events(planId, { signal: AbortSignal.timeout(msMax) })) {
      events.push(event);
      // Scripts can hold back their last step until another one has run.
      if (event.type === "step.succeeded") model?.release("last-step");
      if (event.type === "approval.requested") await approve(client, planId, event.data.approvalId);
      if (event.type === "plan.ended") break;
    }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    await client.api.plans.cancel(planId);
  }
  const view = await client.view(planId);
  const one = measurePlan(name, {
    view,
    events,
    // A language model is only expected to succeed.
    expected: model === undefined ? "succeeded" : expected,
    ms: performance.now() - startedAt,
  });
  if (events.at(-1)?.type === "plan.ended") return one;
  return { ...one, succeeded: false, asExpected: false, verdict: "timed out" };
}

async function approve(client: SystemClient, planId: string, approvalId: string): Promise<void> {
  await client.api.plans.approvals.approve(planId, approvalId, { by: "evaluation" });
}
