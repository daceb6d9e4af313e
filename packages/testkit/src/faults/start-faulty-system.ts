/** The whole system with plans that never stop coming, for something to go wrong in. */
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

/** What the plans of the flow reach outside the system. */
export type FlowSurroundings = AsyncDisposable & {
  readonly flakyUrl: string;
  readonly effects: EffectCounter;
  /** What an executor is given, to reach it. */
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
 * Lets plans flow through a system that runs already, whose model plays {@link FLOW_SCRIPT} and whose executor reaches the
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
      // It is waited for below; a fault of the test itself must not hide behind its rejection.
      flowing.catch(() => undefined);
      await wrong(signal);
      stopping.abort();
      const broken = await faultsOf(bus, await flowing);
      return [...broken, ...doubledEffects(effects.counts())];
    },
    [Symbol.asyncDispose]: () => bus[Symbol.asyncDispose](),
  };
}
