import path from "node:path";
import { startCommand as runStartCommand, superviseServices } from "@planwright/launcher";
import { OFFLINE_MODEL, startOfflineModel } from "@planwright/offline-model";

const GATEWAY = "gateway";
const COMPILE_CACHE = path.resolve("node_modules/.cache/node");

/** `npm start`: the whole system under one supervisor. */
export async function startCommand(args: readonly string[]): Promise<number> {
  return runStartCommand(args, ({ executors }, output) => ({
    env: process.env,
    dashboardDir: path.resolve("packages/dashboard"),
    elapsedMs: () => performance.now(),
    startOfflineModel: async () => Object.assign(await startOfflineModel(), { name: OFFLINE_MODEL }),
    runServices: (env) =>
      superviseServices({
        specs: ["planner", ...executorNames(executors), "reflector", GATEWAY].map(specOf),
        gateway: GATEWAY,
        env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
        output,
      }),
  }));
}

/** `executor`, or `executor-1`, `executor-2`, … when there are several. */
function executorNames(count: number): string[] {
  return count === 1 ? ["executor"] : Array.from({ length: count }, (_, index) => `executor-${index + 1}`);
}

function specOf(name: string) {
  return { name, entry: path.resolve("services", name.replace(/-\d+$/, ""), "src", "main.ts") };
}
