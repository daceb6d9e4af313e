/** The page in a real browser, served by the gateway, over a whole system with the offline model. */
import { freePort } from "@planwright/launcher";
import { OFFLINE_MODEL, startOfflineModel } from "@planwright/offline-model";
import {
  lendStage,
  type ScriptedModel,
  startScriptedModel,
  startSystem,
  type SystemOptions,
  type TestSystem,
} from "@planwright/testkit";
import { afterAll, beforeAll, expect } from "vitest";
import { openBrowser, type Tab, type TestBrowser } from "./open-browser.ts";

/** There once the tests have begun. */
export type DashboardStage = { readonly browser: TestBrowser; readonly system: TestSystem };

/**
 * A browser and one system for all tests of a file; the page itself is built before the first file runs. Files with the same options
 * that run in the same process use the system one after the other: a test must not count on an empty list of plans, unless it
 * asks for a `fresh` one.
 */
export function dashboardStage({ fresh = false, ...options }: StageOptions = {}): DashboardStage {
  const start = (env: Readonly<Record<string, string>>) =>
    startWithOfflineModel({ ...options, env: { ...env, ...options.env } });
  return stageOf((env) =>
    fresh ? start(env) : lendStage(`dashboard ${JSON.stringify(options)}`, () => start(env)),
  );
}

export type StageOptions = SystemOptions & { readonly fresh?: boolean };

/** There once the tests have begun. */
export type ScriptedDashboardStage = DashboardStage & { readonly model: ScriptedModel };

/** The same with a model whose replies the tests write. */
export function scriptedDashboardStage(options: SystemOptions = {}): ScriptedDashboardStage {
  return stageOf(async (env) => {
    await using cleanup = new AsyncDisposableStack();
    const model = cleanup.use(await startScriptedModel({}));
    const system = cleanup.use(
      await startSystem({ ...options, modelUrl: model.url, env: { ...env, ...options.env } }),
    );
    const owned = cleanup.move();
    return { system, model, [Symbol.asyncDispose]: () => owned.disposeAsync() };
  });
}

type Started = AsyncDisposable & { readonly system: TestSystem };

function stageOf<System extends Started>(
  start: (env: Readonly<Record<string, string>>) => Promise<System>,
): Omit<System, typeof Symbol.asyncDispose> & Pick<DashboardStage, "browser"> {
  const cleanup = new AsyncDisposableStack();
  let started: (System & Pick<DashboardStage, "browser">) | undefined;
  beforeAll(async () => {
    const port = await freePort("127.0.0.1");
    const browser = cleanup.use(await openBrowser());
    // As `npm start` does: the services send their spans to the gateway.
    const env = { PORT: String(port), PLANWRIGHT_TRACE_RECEIVER: `http://127.0.0.1:${port}/otlp` };
    started = { ...cleanup.use(await start(env)), browser };
  });
  afterAll(() => cleanup.disposeAsync());
  // Tests name the stage before it is set, and look at it afterwards.
  return new Proxy({} as System & Pick<DashboardStage, "browser">, {
    get: (_target, name) => {
      if (started === undefined) throw new Error("the dashboard's stage has not been set yet");
      return Reflect.get(started, name);
    },
  });
}

export async function startWithOfflineModel(options: SystemOptions = {}) {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startOfflineModel({}));
  const env = { PLANNER_MODEL: OFFLINE_MODEL, EXECUTOR_MODEL: OFFLINE_MODEL, REFLECTOR_MODEL: OFFLINE_MODEL };
  const system = cleanup.use(
    await startSystem({ modelUrl: model.url, ...options, env: { ...env, ...options.env } }),
  );
  const owned = cleanup.move();
  return { system, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** No error in its console, and no request to another host. */
export function expectWellBehaved({ misconduct }: Tab): void {
  expect(misconduct).toEqual({ errors: [], foreign: [] });
}

/** A step that takes so long and then gives its id. */
export function wait(id: string, ms: number, dependsOn: readonly string[] = []) {
  return {
    id,
    tool: "flow.wait",
    description: `Wait ${id}`,
    args: { ms, value: id },
    dependsOn: [...dependsOn],
  };
}
