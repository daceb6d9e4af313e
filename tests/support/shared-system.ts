import { startOfflineModel } from "@planwright/offline-model";
import {
  lendStage,
  type RestoreOptions,
  type ScriptedModel,
  type ServiceEnvironments,
  type Stage,
  type ServiceName,
  startScriptedModel,
  startSystem,
  type TestSystem,
} from "@planwright/testkit";
import { afterAll, beforeAll, expect } from "vitest";
import { demoEnvironment, scriptedEnvironment } from "./system-environments.ts";

/** There once the tests have begun. */
export type OfflineSystem = { readonly system: TestSystem };

/** There once the tests have begun. */
export type SharedSystem = OfflineSystem & { readonly model: ScriptedModel };

export type SharedSystemOptions = {
  /** What single services are given besides, for this file only. */
  readonly services?: ServiceEnvironments;
  /**
   * Those that run as separate processes, as this file kills or stops them; the others share one process, which starts them
   * in a fraction of the time. Default: none.
   */
  readonly alone?: readonly ServiceName[];
  /** No other file has used it: for tests that count all plans, or see an empty list. */
  readonly fresh?: boolean;
};

/**
 * One system, with a scripted model, for all tests of a file. Files that run in the same process use it one after the other: a
 * test must not count on being the first to submit a plan.
 */
export function sharedSystem(options: SharedSystemOptions = {}): SharedSystem {
  return lentTo(options, "scripted", startScripted, resetModel);
}

/** The same with the built-in demo model, as without a key. */
export function offlineSystem(options: SharedSystemOptions = {}): OfflineSystem {
  return lentTo(options, "offline", startOffline);
}

function lentTo<Lent extends Stage>(
  options: SharedSystemOptions,
  key: string,
  start: (given: RestoreOptions) => Promise<Lent>,
  reset?: (stage: Lent) => void,
): Lent {
  let lent: Lent | undefined;
  beforeAll(async () => {
    const { services = {}, alone = [], fresh = false } = options;
    const borrower = expect.getState().testPath ?? "another file";
    const given = { services, alone };
    lent = await lendStage({ key, borrower, ...given, fresh, start: () => start(given), reset });
  });
  afterAll(() => lent?.[Symbol.asyncDispose]());
  // Tests name the system before it is there, and look at it afterwards.
  return new Proxy({} as Lent, {
    get: (_target, name) => {
      if (lent === undefined) throw new Error("the system has not been started yet");
      return Reflect.get(lent, name);
    },
  });
}

async function startScripted(given: RestoreOptions): Promise<SharedSystem & AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startScriptedModel({}));
  const env = await scriptedEnvironment();
  const system = cleanup.use(await startSystem({ modelUrl: model.url, env, ...given }));
  const owned = cleanup.move();
  return { model, system, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startOffline(given: RestoreOptions): Promise<OfflineSystem & AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startOfflineModel({}));
  const env = await demoEnvironment();
  const system = cleanup.use(await startSystem({ modelUrl: model.url, env, ...given }));
  const owned = cleanup.move();
  return { system, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Nothing is asked of it any more. @throws When a schema that it was sent would be refused elsewhere. */
function resetModel({ model }: Pick<SharedSystem, "model">): void {
  model.play({});
  const faults = model.schemaFaults();
  if (faults.length > 0) throw new Error(`model servers would refuse schemas:\n${faults.join("\n")}`);
}
