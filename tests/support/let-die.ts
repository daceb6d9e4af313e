import { once } from "node:events";
import { SERVICE_NAMES, type ServiceName, type TestSystem } from "@planwright/testkit";

export type Death = { readonly name: ServiceName; readonly point: string; readonly passage: number };

/** A process that dies takes one piece of work with it: with more, the same one would die too often. */
const ONE_AT_A_TIME = {
  EXECUTOR_CONCURRENCY: "1",
  PLANNER_CONCURRENCY: "1",
  REFLECTOR_CONCURRENCY: "1",
} as const;

/** The deaths of each service one after the other, all services simultaneously; each lives on afterwards. */
export async function letAllDie(
  system: TestSystem,
  deaths: readonly Death[],
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    SERVICE_NAMES.map(async (name) => {
      const own = deaths.filter((death) => death.name === name);
      if (own.length === 0) return;
      await system.kill(name);
      for (const death of own) await letDieAt(system, death, signal);
      await system.start(name);
    }),
  );
}

/**
 * Runs a process of a service that kills itself at a point, and resolves when it has.
 *
 * @throws When it ends otherwise, or not within the signal's time: the point was not reached.
 */
async function letDieAt(
  system: TestSystem,
  { name, point, passage }: Death,
  signal: AbortSignal,
): Promise<void> {
  try {
    const env = { ...ONE_AT_A_TIME, PLANWRIGHT_FAULTS: `${point}=kill@${passage}` };
    const doomed = await system.start(name, env);
    const end = await Promise.race([doomed.ended, late(signal, `${name} never passed ${point}`)]);
    if (end !== "SIGKILL") throw new Error(`${name} ended with ${end} at ${point}:\n${doomed.output()}`);
  } catch (error) {
    // Work that is due immediately may pass the point before the service says that it is ready.
    if (!(error instanceof Error) || !error.message.includes(`fault: ${point},`)) throw error;
  }
}

async function late(signal: AbortSignal, message: string): Promise<never> {
  await once(signal, "abort");
  throw new Error(message);
}
