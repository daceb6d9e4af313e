import { startOfflineModel } from "@planwright/offline-model";
import { type ScriptedModel, startScriptedModel } from "../model/start-scripted-model.ts";
import { startSystem, type SystemOptions, type TestSystem } from "../system/start-system.ts";
import { type Example, loadExample } from "./load-example.ts";
import { type ExampleServer, startExampleServer } from "./start-example-server.ts";

export type RunningExample = AsyncDisposable & {
  /** Its request is for the server that was started for it. */
  readonly example: Example;
  readonly server: ExampleServer | undefined;
  readonly system: TestSystem;
  /** The scripted model; absent when the example runs with the offline model. */
  readonly model: ScriptedModel | undefined;
};

/** Starts the whole system, and the world outside that the example needs, with the model that the example brings, or with the offline model. */
export async function startExample(name: string, options: SystemOptions = {}): Promise<RunningExample> {
  const example = await loadExample(name);
  await using cleanup = new AsyncDisposableStack();
  const model =
    example.script === undefined ? undefined : cleanup.use(await startScriptedModel(example.script));
  const modelUrl = model?.url ?? cleanup.use(await startOfflineModel({})).url;
  const server = example.serverFile === undefined ? undefined : cleanup.use(await startExampleServer(name));
  const agents = example.agentsFile === undefined ? {} : { PLANWRIGHT_AGENTS: example.agentsFile };
  const env: Record<string, string> = { ...agents, ...server?.env, ...options.env };
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
