import path from "node:path";
import { startCommand as runStartCommand, runInProcess, superviseServices } from "@planwright/launcher";
import { OFFLINE_MODEL, startOfflineModel } from "@planwright/offline-model";
import type { ServiceDefinition } from "@planwright/shared/service";

const GATEWAY = "gateway";
const COMPILE_CACHE = path.resolve("node_modules/.cache/node");

/** `npm start`: the whole system under one supervisor. */
export async function startCommand(args: readonly string[]): Promise<number> {
  return runStartCommand(args, ({ executors, oneProcess }, output) => ({
    env: process.env,
    dashboardDir: path.resolve("packages/dashboard"),
    elapsedMs: () => performance.now(),
    startOfflineModel: async () => Object.assign(await startOfflineModel(), { name: OFFLINE_MODEL }),
    runServices: (env) =>
      oneProcess
        ? runInProcess({ load: loadServices, gateway: GATEWAY, env, output })
        : superviseServices({
            specs: ["planner", ...executorNames(executors), "reflector", GATEWAY].map(specOf),
            gateway: GATEWAY,
            env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
            output,
          }),
  }));
}

/** Loaded only for one process: otherwise each service loads itself. */
async function loadServices(): Promise<ServiceDefinition[]> {
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
function executorNames(count: number): string[] {
  return count === 1 ? ["executor"] : Array.from({ length: count }, (_, index) => `executor-${index + 1}`);
}

function specOf(name: string) {
  return { name, entry: path.resolve("services", name.replace(/-\d+$/, ""), "src", "main.ts") };
}
