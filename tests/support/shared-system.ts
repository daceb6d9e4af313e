import {
  type ScriptedModel,
  startScriptedModel,
  startSystem,
  type SystemOptions,
  type TestSystem,
} from "@planwright/testkit";
import { afterAll, beforeAll } from "vitest";

/** There once the tests have begun. */
export type SharedSystem = { readonly model: ScriptedModel; readonly system: TestSystem };

/** One system, with a scripted model, for all tests of a file. */
export function sharedSystem(options: Omit<SystemOptions, "modelUrl"> = {}): SharedSystem {
  let shared: SharedSystem | undefined;
  beforeAll(async () => {
    const model = await startScriptedModel({});
    const system = await startSystem({ ...options, modelUrl: model.url });
    shared = { model, system };
  });
  afterAll(async () => {
    await shared?.system[Symbol.asyncDispose]();
    await shared?.model[Symbol.asyncDispose]();
  });
  const started = (): SharedSystem => {
    if (shared === undefined) throw new Error("the system has not been started yet");
    return shared;
  };
  return {
    get model() {
      return started().model;
    },
    get system() {
      return started().system;
    },
  };
}
