/** The services of the whole system, as every command that starts it runs them. */
import type { ServiceDefinition } from "@planwright/shared/service";

/** Loads all of them, for one process: otherwise each service loads itself. */
export async function loadServices(): Promise<ServiceDefinition[]> {
  const [{ plannerService }, { executorService }, { reflectorService }, { gatewayService }] =
    await Promise.all([
      import("@planwright/planner"),
      import("@planwright/executor"),
      import("@planwright/reflector"),
      import("@planwright/gateway"),
    ]);
  return [plannerService, executorService, reflectorService, gatewayService];
}

/** `executor`, or `executor-1`, `executor-2`, … when there are several. */
export function executorNames(count: number): string[] {
  return count === 1 ? ["executor"] : Array.from({ length: count }, (_, index) => `executor-${index + 1}`);
}
