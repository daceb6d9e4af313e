import {
  type SeededRandom,
  type ServiceName,
  type ServiceProcess,
  type TestSystem,
} from "@planwright/testkit";
import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = { least: 500, most: 4_000 } as const;
/** Maximum time before a killed process is started again. */
const GONE_MS = 2_000;
const VICTIMS = ["planner", "executor", "reflector", "gateway", "nats-server"] as const;
type Victim = (typeof VICTIMS)[number];

export type Kills = Record<Victim, number>;

/** Starts a mortal process of a service: the one that is killed and started again. */
export type StartMortal = (name: ServiceName) => Promise<ServiceProcess>;

export type Killing = {
  readonly system: TestSystem;
  /** The mortal process of each service. */
  readonly mortal: Map<ServiceName, ServiceProcess>;
  readonly startMortal: StartMortal;
  readonly random: SeededRandom;
};

/**
 * Kills one process after another at random moments and starts it again, until the signal aborts.
 *
 * Each service also has a process that is never killed, so that its memory can be watched.
 */
export async function killAtRandom(
  { system, mortal, startMortal, random }: Killing,
  signal: AbortSignal,
): Promise<Kills> {
  const kills: Kills = { planner: 0, executor: 0, reflector: 0, gateway: 0, "nats-server": 0 };
  const pause = async (ms: number): Promise<void> => delay(ms, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    await pause(PAUSE_MS.least + random.below(PAUSE_MS.most - PAUSE_MS.least));
    const victim = VICTIMS[random.below(VICTIMS.length)];
    if (signal.aborted || victim === undefined) break;
    kills[victim] += 1;
    if (victim === "nats-server") {
      await system.nats.kill();
      await pause(random.below(GONE_MS));
      await system.nats.restart();
    } else {
      await mortal.get(victim)?.kill();
      await pause(random.below(GONE_MS));
      mortal.set(victim, await startMortal(victim));
    }
  }
  return kills;
}
