import { freePort } from "@planwright/launcher";
import { OFFLINE_MODEL, startOfflineModel } from "@planwright/offline-model";
import {
  lendStage,
  type ScriptedModel,
  type ServiceEnvironments,
  type Stage,
  startScriptedModel,
  startSystem,
  type TestSystem,
} from "@planwright/testkit";
import { afterAll, beforeAll, expect } from "vitest";

/** There once the tests have begun. */
export type OfflineSystem = { readonly system: TestSystem };

/** There once the tests have begun. */
export type SharedSystem = OfflineSystem & { readonly model: ScriptedModel };

export type SharedSystemOptions = {
  /** What single services are given besides, for this file only. */
  readonly services?: ServiceEnvironments;
  /** No other file has used it: for tests that count all plans, or see an empty list. */
  readonly fresh?: boolean;
};

/** In dollars for a million tokens, of each model of the scripted system. */
export const PRICES = { inputUsdPerMillion: 100, outputUsdPerMillion: 400 };

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
  start: (services: ServiceEnvironments) => Promise<Lent>,
  reset?: (stage: Lent) => void,
): Lent {
  let lent: Lent | undefined;
  beforeAll(async () => {
    const { services = {}, fresh = false } = options;
    const borrower = expect.getState().testPath ?? "another file";
    lent = await lendStage({ key, borrower, services, fresh, start: () => start(services), reset });
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

async function startScripted(services: ServiceEnvironments): Promise<SharedSystem & AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startScriptedModel({}));
  const prices = { "test-planner": PRICES, "test-executor": PRICES, "test-reflector": PRICES };
  const env = { ...(await tracedEnvironment()), MODEL_PRICES: JSON.stringify(prices) };
  const system = cleanup.use(await startSystem({ modelUrl: model.url, env, services }));
  const owned = cleanup.move();
  return { model, system, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startOffline(services: ServiceEnvironments): Promise<OfflineSystem & AsyncDisposable> {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startOfflineModel({}));
  const models = {
    PLANNER_MODEL: OFFLINE_MODEL,
    EXECUTOR_MODEL: OFFLINE_MODEL,
    REFLECTOR_MODEL: OFFLINE_MODEL,
  };
  const env = { ...(await tracedEnvironment()), ...models };
  const system = cleanup.use(await startSystem({ modelUrl: model.url, env, services }));
  const owned = cleanup.move();
  return { system, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** As `npm start` has it: the services send their spans to the gateway. */
async function tracedEnvironment(): Promise<Record<string, string>> {
  const port = await freePort("127.0.0.1");
  return { PORT: String(port), PLANWRIGHT_TRACE_RECEIVER: `http://127.0.0.1:${port}/otlp` };
}

/** Nothing is asked of it any more. @throws When a schema that it was sent would be refused elsewhere. */
function resetModel({ model }: Pick<SharedSystem, "model">): void {
  model.play({});
  const faults = model.schemaFaults();
  if (faults.length > 0) throw new Error(`model servers would refuse schemas:\n${faults.join("\n")}`);
}
