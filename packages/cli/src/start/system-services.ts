/** The services of the whole system, for every command that starts it. */
import type { ServiceDefinition } from "@planwright/shared/service";

export { startService } from "@planwright/shared/service";

/** Loads all services into this process. With one process per service, each loads itself. */
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

/** Returns `executor`, or `executor-1`, `executor-2`, … for several. */
export function executorNames(count: number): string[] {
  return count === 1 ? ["executor"] : Array.from({ length: count }, (_, index) => `executor-${index + 1}`);
}
