import { startOfflineModel } from "@planwright/offline-model";
import { type ScriptedModel, startScriptedModel } from "../model/start-scripted-model.ts";
import { startSystem, type SystemOptions, type TestSystem } from "../system/start-system.ts";
import { type Example, loadExample } from "./load-example.ts";

export type RunningExample = AsyncDisposable & {
  readonly example: Example;
  readonly system: TestSystem;
  /** The scripted model; absent when the example runs with the offline model. */
  readonly model: ScriptedModel | undefined;
};

/** Starts the whole system with the model that the example brings, or with the offline model. */
export async function startExample(name: string, options: SystemOptions = {}): Promise<RunningExample> {
  const example = await loadExample(name);
  await using cleanup = new AsyncDisposableStack();
  const model =
    example.script === undefined ? undefined : cleanup.use(await startScriptedModel(example.script));
  const modelUrl = model?.url ?? cleanup.use(await startOfflineModel({})).url;
  const env = example.agentsFile === undefined ? {} : { PLANWRIGHT_AGENTS: example.agentsFile };
  const system = cleanup.use(await startSystem({ modelUrl, ...options, env: { ...env, ...options.env } }));
  const owned = cleanup.move();
  return { example, system, model, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
