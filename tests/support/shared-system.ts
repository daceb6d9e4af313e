import {
  lendStage,
  type ScriptedModel,
  startScriptedModel,
  startSystem,
  type SystemOptions,
  type TestSystem,
} from "@planwright/testkit";
import { afterAll, beforeAll } from "vitest";

/** There once the tests have begun. */
export type SharedSystem = { readonly model: ScriptedModel; readonly system: TestSystem };

export type SharedSystemOptions = Omit<SystemOptions, "modelUrl"> & {
  /** What its executor is given besides; the rest of the system serves files with other executors as well. */
  readonly executor?: Readonly<Record<string, string>>;
  /** No other file has used it: for tests that count all plans, or all dead letters. */
  readonly fresh?: boolean;
};

/**
 * One system, with a scripted model, for all tests of a file. Files with the same options that run in the same process use it one
 * after the other: a test must not count on being the first to submit a plan.
 */
export function sharedSystem({
  executor = {},
  fresh = false,
  ...options
}: SharedSystemOptions = {}): SharedSystem {
  let shared: (SharedSystem & AsyncDisposable) | undefined;
  beforeAll(async () => {
    shared = await (fresh
      ? startStage(options)
      : lendStage(`scripted ${JSON.stringify(options)}`, () => startStage(options), resetModel));
    if (Object.keys(executor).length === 0) return;
    await shared.system.reconfigure("executor", executor);
  });
  afterAll(() => shared?.[Symbol.asyncDispose]());
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

async function startStage(options: Omit<SystemOptions, "modelUrl">): Promise<SharedSystem & AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startScriptedModel({}));
  const system = cleanup.use(await startSystem({ ...options, modelUrl: model.url }));
  const owned = cleanup.move();
  return { model, system, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Nothing is asked of it any more. @throws When a schema that it was sent would be refused elsewhere. */
export function resetModel({ model }: Pick<SharedSystem, "model">): void {
  model.play({});
  const faults = model.schemaFaults();
  if (faults.length > 0) throw new Error(`model servers would refuse schemas:\n${faults.join("\n")}`);
}
