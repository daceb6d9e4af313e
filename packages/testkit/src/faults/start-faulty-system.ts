/** The whole system with plans that never stop coming, for something to go wrong in. */
import { type Bus, connectBus } from "@planwright/shared/bus";
import { createCarefulClient } from "../system/careful-client.ts";
import { startSystem, type SystemOptions, type TestSystem } from "../system/start-system.ts";
import { createPlanFlow, faultsOf, startFlowModel } from "./plan-flow.ts";
import { doubledEffects } from "./broken-promises.ts";
import { startEffectCounter } from "../effects/start-effect-counter.ts";
import { startFlakyServer } from "./start-flaky-server.ts";

export type FaultySystem = AsyncDisposable & {
  readonly system: TestSystem;
  readonly bus: Bus;
  /** Answers the first request of each path with 500, and the others with 200. */
  readonly flakyUrl: string;
  /**
   * Runs what goes wrong while plans of every kind run, then waits for the end of all of them.
   *
   * @param withinMs - Only for what hangs.
   * @returns Every promise that was broken; none is the wanted result.
   */
  during(wrong: (signal: AbortSignal) => Promise<void>, withinMs?: number): Promise<string[]>;
};

const WITHIN_MS = 200_000;
/** Every kind of plan runs many times a second also so, and the machine has time for the rest of the tests. */
const PACE_MS = 100;

export async function startFaultySystem(options: SystemOptions = {}): Promise<FaultySystem> {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startFlowModel());
  const flaky = cleanup.use(await startFlakyServer());
  const effects = cleanup.use(await startEffectCounter());
  const env = { HTTP_FETCH_ALLOW: `${new URL(flaky.url).host},${effects.host}`, ...options.env };
  const system = cleanup.use(await startSystem({ modelUrl: model.url, ...options, env }));
  const bus = cleanup.use(await connectBus({ url: system.nats.url, name: "test" }));
  let flows = 0;
  const owned = cleanup.move();
  return {
    system,
    bus,
    flakyUrl: flaky.url,
    async during(wrong, withinMs = WITHIN_MS) {
      const signal = AbortSignal.timeout(withinMs);
      const client = createCarefulClient([system.client], signal);
      const name = `flow${++flows}`;
      const flow = createPlanFlow({ client, bus, flakyUrl: flaky.url, effects, name, paceMs: PACE_MS });
      const stopping = new AbortController();
      const flowing = flow.run(stopping.signal);
      // It is waited for below; a fault of the test itself must not hide behind its rejection.
      flowing.catch(() => undefined);
      await wrong(signal);
      stopping.abort();
      const broken = await faultsOf(bus, await flowing);
      return [...broken, ...doubledEffects(effects.counts())];
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
