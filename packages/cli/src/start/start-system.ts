/** `planwright start`: the whole system under one supervisor, from the files of this package. */
import { cacheDir, runInProcess, startCommand, superviseServices } from "@planwright/launcher";
import { OFFLINE_MODEL, startOfflineModel } from "@planwright/offline-model";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { executorNames, loadServices } from "./system-services.ts";

const GATEWAY = "gateway";
/** The dashboard's package, whose files the gateway serves. */
const DASHBOARD = fileURLToPath(new URL("../../../dashboard", import.meta.url));
const ENTRIES: Readonly<Record<string, URL>> = {
  planner: new URL("./services/planner.ts", import.meta.url),
  executor: new URL("./services/executor.ts", import.meta.url),
  reflector: new URL("./services/reflector.ts", import.meta.url),
  gateway: new URL("./services/gateway.ts", import.meta.url),
};

/**
 * Runs the system until a signal stops it.
 *
 * @param args - The options of the command, as typed.
 * @returns The exit code.
 */
export async function startSystem(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  return startCommand(
    args,
    ({ executors, oneProcess }, output) => ({
      env,
      dashboardDir: DASHBOARD,
      elapsedMs: () => performance.now(),
      startOfflineModel: async () => Object.assign(await startOfflineModel(), { name: OFFLINE_MODEL }),
      runServices: (environment) =>
        oneProcess
          ? runInProcess({ load: loadServices, gateway: GATEWAY, env: environment, output })
          : superviseServices({
              specs: specsOf(executors),
              gateway: GATEWAY,
              // Later starts reuse this start's compiled code.
              env: { NODE_COMPILE_CACHE: path.join(cacheDir(env), "node"), ...environment },
              output,
            }),
    }),
    "planwright start",
  );
}

function specsOf(executors: number): { name: string; entry: string }[] {
  return Object.entries(ENTRIES).flatMap(([service, url]) => {
    const entry = fileURLToPath(url);
    const names = service === "executor" ? executorNames(executors) : [service];
    return names.map((name) => ({ name, entry }));
  });
}
