import path from "node:path";
import { executorNames, loadServices } from "@planwright/cli/services";
import { startCommand as runStartCommand, runInProcess, superviseServices } from "@planwright/launcher";
import { bundleServices, markUsed } from "@planwright/launcher/bundle";
import { describeError } from "@planwright/shared/errors";
import { OFFLINE_MODEL, startOfflineModel } from "@planwright/offline-model";

const GATEWAY = "gateway";
const MARK_INTERVAL_MS = 60 * 60 * 1_000;
const COMPILE_CACHE = path.resolve("node_modules/.cache/node");

/** `npm start`: the whole system under one supervisor. */
export async function startCommand(args: readonly string[]): Promise<number> {
  return runStartCommand(args, ({ executors, oneProcess }, output) => {
    // Started immediately, in parallel with the preparations for the services.
    const bundle = oneProcess ? undefined : bundleOrSay((line) => output.say(line, { severity: "warn" }));
    return {
      env: process.env,
      dashboardDir: path.resolve("packages/dashboard"),
      elapsedMs: () => performance.now(),
      startOfflineModel: async () => Object.assign(await startOfflineModel(), { name: OFFLINE_MODEL }),
      runServices: async (env) => {
        if (oneProcess) return runInProcess({ load: loadServices, gateway: GATEWAY, env, output });
        const folder = await bundle;
        return superviseServices({
          specs: ["planner", ...executorNames(executors), "reflector", GATEWAY].map((name) =>
            specOf(name, folder),
          ),
          gateway: GATEWAY,
          env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
          output,
        });
      },
    };
  });
}

/** Never throws: without a bundle, the services run from the sources. */
async function bundleOrSay(warn: (line: string) => void): Promise<string | undefined> {
  try {
    const folder = await bundleServices({ root: process.cwd() });
    // Services restart from the bundle and load parts of it later, so it must be kept.
    setInterval(() => void markUsed(folder).catch(() => undefined), MARK_INTERVAL_MS).unref();
    return folder;
  } catch (error) {
    warn(`could not bundle the services, so they start more slowly: ${describeError(error)}`);
    return undefined;
  }
}

function specOf(name: string, bundle: string | undefined) {
  const service = name.replace(/-\d+$/, "");
  const source = path.resolve("services", service, "src", "main.ts");
  return { name, entry: bundle === undefined ? source : path.join(bundle, `${service}.js`) };
}
