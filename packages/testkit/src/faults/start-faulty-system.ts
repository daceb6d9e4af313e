/** The whole system with a continuous flow of plans, for tests that inject faults. */
import { randomUUID } from "node:crypto";
import { type Bus, connectBus } from "@planwright/shared/bus";
import { createCarefulClient } from "../system/careful-client.ts";
import { startSystem, type SystemOptions, type TestSystem } from "../system/start-system.ts";
import { createPlanFlow, faultsOf, startFlowModel } from "./plan-flow.ts";
import { doubledEffects } from "./broken-promises.ts";
import { type EffectCounter, startEffectCounter } from "../effects/start-effect-counter.ts";
import { startFlakyServer } from "./start-flaky-server.ts";

export type FaultySystem = AsyncDisposable & {
  readonly system: TestSystem;
  readonly bus: Bus;
  /** Answers the first request of each path with 500, and the others with 200. */
  readonly flakyUrl: string;
  /**
   * Injects faults while plans of every kind run, then waits for the end of all plans.
   *
   * @param withinMs - A limit for hangs only.
   * @returns Every broken promise; empty if none was broken.
   */
  during(wrong: (signal: AbortSignal) => Promise<void>, withinMs?: number): Promise<string[]>;
};

const WITHIN_MS = 200_000;
/** Slow enough to leave time for other tests, and still many plans of every kind per second. */
const PACE_MS = 100;

/** The servers outside the system that the flow's plans reach. */
export type FlowSurroundings = AsyncDisposable & {
  readonly flakyUrl: string;
  readonly effects: EffectCounter;
  /** The environment that an executor needs to reach them. */
  readonly env: Readonly<Record<string, string>>;
};

export async function startFlowSurroundings(): Promise<FlowSurroundings> {
  await using cleanup = new AsyncDisposableStack();
  const flaky = cleanup.use(await startFlakyServer());
  const effects = cleanup.use(await startEffectCounter());
  const owned = cleanup.move();
  return {
    flakyUrl: flaky.url,
    effects,
    env: { HTTP_FETCH_ALLOW: `${new URL(flaky.url).host},${effects.host}` },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export async function startFaultySystem(options: SystemOptions = {}): Promise<FaultySystem> {
  await using cleanup = new AsyncDisposableStack();
  const model = cleanup.use(await startFlowModel());
  const surroundings = cleanup.use(await startFlowSurroundings());
  const env = { ...surroundings.env, ...options.env };
  const system = cleanup.use(await startSystem({ modelUrl: model.url, ...options, env }));
  const faulty = cleanup.use(await faultySystemOn(system, surroundings));
  const owned = cleanup.move();
  return { ...faulty, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/**
 * Runs a flow of plans through a running system whose model plays {@link FLOW_SCRIPT} and whose executor reaches the
 * surroundings. Disposing it leaves the system unchanged.
 */
export async function faultySystemOn(
  system: TestSystem,
  { flakyUrl, effects }: FlowSurroundings,
): Promise<FaultySystem> {
  const bus = await connectBus({ ...system.nats.access, name: "test" });
  let flows = 0;
  return {
    system,
    bus,
    flakyUrl,
    async during(wrong, withinMs = WITHIN_MS) {
      const signal = AbortSignal.timeout(withinMs);
      const client = createCarefulClient([system.client], signal);
      // Keys of plans that another file has submitted to this system are taken.
      const name = `flow${++flows}-${randomUUID()}`;
      const flow = createPlanFlow({ client, bus, flakyUrl, effects, name, paceMs: PACE_MS });
      const stopping = new AbortController();
      const flowing = flow.run(stopping.signal);
      // Awaited below; a fault of the test itself must not be hidden by this rejection.
      flowing.catch(() => undefined);
      await wrong(signal);
      stopping.abort();
      const broken = await faultsOf(bus, await flowing);
      return [...broken, ...doubledEffects(effects.counts())];
    },
    [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
  };
}
