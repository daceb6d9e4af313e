/** The whole system with plans that never stop coming, for something to go wrong in. */
import { type Bus, connectBus } from "@planwright/shared/bus";
import { createCarefulClient, startSystem, type SystemOptions, type TestSystem } from "@planwright/testkit";
import { createPlanFlow, faultsOf, startFlakyServer, startFlowModel } from "./plan-flow.ts";

export type FaultySystem = AsyncDisposable & {
  readonly system: TestSystem;
  readonly bus: Bus;
  /**
   * Runs what goes wrong while plans of every kind run, then waits for the end of all of them.
   *
   * @param withinMs - Only for what hangs.
   * @returns Every promise that was broken; none is the wanted result.
   */
  during(wrong: (signal: AbortSignal) => Promise<void>, withinMs?: number): Promise<string[]>;
};

const WITHIN_MS = 200_000;

export async function startFaultySystem(options: SystemOptions = {}): Promise<FaultySystem> {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startFlowModel());
  const flaky = cleanup.use(await startFlakyServer());
  const env = { HTTP_FETCH_ALLOW: new URL(flaky.url).host, ...options.env };
  const system = cleanup.use(await startSystem({ modelUrl: model.url, ...options, env }));
  const bus = cleanup.use(await connectBus({ url: system.nats.url, name: "test" }));
  let flows = 0;
  const owned = cleanup.move();
  return {
    system,
    bus,
    async during(wrong, withinMs = WITHIN_MS) {
      const signal = AbortSignal.timeout(withinMs);
      const client = createCarefulClient(system.client, signal);
      const flow = createPlanFlow({ client, bus, flakyUrl: flaky.url, name: `flow${++flows}` });
      const stopping = new AbortController();
      const flowing = flow.run(stopping.signal);
      // It is waited for below; a fault of the test itself must not hide behind its rejection.
      flowing.catch(() => undefined);
      await wrong(signal);
      stopping.abort();
      return faultsOf(bus, await flowing);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
