import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { startOfflineModel } from "@planwright/offline-model";
import { type ScriptedModel, startScriptedModel } from "../model/start-scripted-model.ts";
import { startSystem, type SystemOptions, type TestSystem } from "../system/start-system.ts";
import { type Example, loadExample } from "./load-example.ts";
import { type ExampleServer, startExampleServer } from "./start-example-server.ts";

export type RunningExample = AsyncDisposable & {
  /** The example, with its request for the server that was started for it. */
  readonly example: Example;
  readonly server: ExampleServer | undefined;
  readonly system: TestSystem;
  /** The scripted model; absent when the example runs with the demo model. */
  readonly model: ScriptedModel | undefined;
};

/** Starts the whole system and the external server of the example, with the example's scripted model or the demo model. */
export async function startExample(name: string, options: SystemOptions = {}): Promise<RunningExample> {
  const example = await loadExample(name);
  await using cleanup = new AsyncDisposableStack();
  const model =
    example.script === undefined ? undefined : cleanup.use(await startScriptedModel(example.script));
  const modelUrl = model?.url ?? cleanup.use(await startOfflineModel({})).url;
  const server = example.serverFile === undefined ? undefined : cleanup.use(await startExampleServer(name));
  const agents = example.agentsFile === undefined ? {} : { PLANWRIGHT_AGENTS: example.agentsFile };
  const sources =
    example.seedFile === undefined
      ? {}
      : { PLANWRIGHT_SOURCES: await seedExample(example.seedFile, cleanup) };
  const env: Record<string, string> = { ...agents, ...sources, ...server?.env, ...options.env };
  const allowed = [server?.env["HTTP_FETCH_ALLOW"], options.env?.["HTTP_FETCH_ALLOW"]].filter(
    (hosts) => hosts !== undefined,
  );
  if (allowed.length > 0) env["HTTP_FETCH_ALLOW"] = allowed.join(",");
  const system = cleanup.use(await startSystem({ modelUrl, ...options, env }));
  const owned = cleanup.move();
  return {
    example: server === undefined ? example : { ...example, request: server.request },
    server,
    system,
    model,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Creates an example's database in a temporary folder. @returns The path of its `sources.json`. */
export async function seedExample(seedFile: string, cleanup: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-example-"));
  cleanup.defer(() => rm(folder, { recursive: true, force: true }));
  const sources = path.join(folder, "sources.json");
  await copyFile(path.join(path.dirname(seedFile), "sources.json"), sources);
  using database = new DatabaseSync(path.join(folder, "store.db"));
  database.exec(await readFile(seedFile, "utf8"));
  return sources;
}
