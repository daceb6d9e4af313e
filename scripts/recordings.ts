/** `npm run recordings`: records responses of a real gateway for the page's tests; with names, only those recordings. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { startOfflineModel } from "@planwright/offline-model";
import { startEffectCounter, startScriptedModel, startSystem, type TestSystem } from "@planwright/testkit";
import { DEMO_PLANS } from "./recordings/demo-plans.ts";
import { EXAMPLE_PLANS } from "./recordings/example-plans.ts";
import { createRecorder, type Scenario, type Stage } from "./recordings/scenario.ts";
import { SCRIPTED_PLANS } from "./recordings/scripted-plans.ts";
import { copyStore } from "../tests/support/sunglasses-store.ts";
import { demoEnvironment, scriptedEnvironment } from "../tests/support/system-environments.ts";

const FOLDER = "packages/dashboard/test/recorded";
/** The address of another trace viewer, to which the page links. */
const TRACE_URL = "http://localhost:16686/trace/{traceId}";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: "boolean", short: "h", default: false } },
});
const wanted = new Set(positionals);
const scripted = { ...SCRIPTED_PLANS, ...EXAMPLE_PLANS };
const known = [...Object.keys(DEMO_PLANS), ...Object.keys(scripted)];
const unknown = [...wanted].filter((name) => !known.includes(name));

if (values.help) {
  console.log(`usage: npm run recordings [-- name ...]

Records the answers of a real gateway for the page's tests, into ${FOLDER}.
Without names it records all: ${known.join(", ")}`);
} else if (unknown.length > 0) {
  console.error(`unknown recording ${unknown.join(", ")}: expected some of ${known.join(", ")}`);
  process.exitCode = 2;
} else {
  await recordDemo(chosen(DEMO_PLANS));
  await recordScripted(chosen(scripted));
}

function chosen(scenarios: Readonly<Record<string, Scenario>>): [string, Scenario][] {
  return Object.entries(scenarios).filter(([name]) => wanted.size === 0 || wanted.has(name));
}

async function recordDemo(scenarios: readonly [string, Scenario][]): Promise<void> {
  if (scenarios.length === 0) return;
  await using demo = await startOfflineModel({});
  await using system = await startSystem({
    modelUrl: demo.url,
    env: await demoEnvironment(),
    services: { gateway: { TRACE_URL } },
  });
  await using model = await startScriptedModel({});
  await using effects = await startEffectCounter();
  await using store = await copyStore();
  for (const [name, scenario] of scenarios) await record(name, scenario, { system, model, effects, store });
}

async function recordScripted(scenarios: readonly [string, Scenario][]): Promise<void> {
  if (scenarios.length === 0) return;
  await using model = await startScriptedModel({});
  await using effects = await startEffectCounter();
  await using store = await copyStore();
  const env = {
    ...(await scriptedEnvironment()),
    HTTP_FETCH_ALLOW: effects.host,
    OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
  };
  await using system = await startSystem({
    modelUrl: model.url,
    env,
    services: { executor: { PLANWRIGHT_SOURCES: store.sources } },
  });
  for (const [name, scenario] of scenarios) await record(name, scenario, { system, model, effects, store });
}

async function record(name: string, scenario: Scenario, stage: Stage): Promise<void> {
  const recorder = createRecorder(stage);
  await scenario(recorder, stage);
  const file = path.join(FOLDER, `${name}.json`);
  const { plans, answers } = recorder.recording();
  const lines = answers.map((answer) => JSON.stringify(answer)).join(",\n");
  const text = `{ "plans": ${JSON.stringify(plans)}, "answers": [\n${lines}\n] }\n`;
  await writeFile(file, text);
  console.log(`${file}: ${Math.ceil(text.length / 1_024)} kB`);
  await forget(stage.system);
}

/** Deletes the plans, so that the next recording lists only its own. */
async function forget(system: TestSystem): Promise<void> {
  await system.clear();
  for (const planId of system.client.submitted)
    await system.client.fetch(`/v1/plans/${planId}`, { method: "DELETE" });
}
