/** The whole system with plans that never stop coming, for something to go wrong in. */
import { type Bus, connectBus } from "@planwright/shared/bus";
import { createCarefulClient, startSystem, type SystemOptions, type TestSystem } from "@planwright/testkit";
import { createPlanFlow, faultsOf, startFlakyServer, startFlowModel } from "./plan-flow.ts";

export type Surroundings = {
  readonly system: TestSystem;
  readonly bus: Bus;
  /** Aborts when the test has taken too long. */
  readonly signal: AbortSignal;
};

/**
 * Runs what goes wrong while plans of every kind run, then waits for the end of all of them.
 *
 * @returns Every promise that was broken; none is the wanted result.
 */
export async function faultsDuring(
  wrong: (surroundings: Surroundings) => Promise<void>,
  { withinMs, ...options }: SystemOptions & { readonly withinMs: number },
): Promise<string[]> {
  const signal = AbortSignal.timeout(withinMs);
  await using model = await startFlowModel();
  await using flaky = await startFlakyServer();
  const env = { HTTP_FETCH_ALLOW: new URL(flaky.url).host, ...options.env };
  await using system = await startSystem({ modelUrl: model.url, ...options, env });
  await using bus = await connectBus({ url: system.nats.url, name: "test" });
  const client = createCarefulClient(system.client, signal);
  const flow = createPlanFlow({ client, bus, flakyUrl: flaky.url });
  const stopping = new AbortController();
  const flowing = flow.run(stopping.signal);
  // It is waited for below; a fault of the test itself must not hide behind its rejection.
  flowing.catch(() => undefined);
  await wrong({ system, bus, signal });
  stopping.abort();
  return await faultsOf(bus, await flowing);
}
