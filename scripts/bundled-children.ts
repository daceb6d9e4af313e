import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { VitestPluginContext } from "vitest/node";
import type { Plugin } from "vitest/config";
import { bundleEntries } from "../packages/launcher/src/bundle/index.ts";
import { bundledServices } from "../packages/testkit/src/system/bundled-services.ts";

/** Sources that run in production; test scripts are in a separate bundle. */
const SOURCE = /\/(?:services|packages)\/\w+\/src\/(?!.*(?:\.test\.ts|\/testing\/)).*\.ts$/;
/** How sources name the script of a separate process or thread. */
const CHILD = /new URL\("\.\/(?:[\w-]+\/)*([\w-]+-(?:child|thread))\.ts", import\.meta\.url\)/g;

const TEST = /\/(?:services|packages)\/\w+\/(?:src|test)\/.*\.test\.ts$/;
/** How tests name the script of a process that they start. */
const TESTING =
  /new URL\("(?:\.\.?\/)+(?:[\w-]+\/)*testing\/([\w-]+-(?:child|parent))\.ts", import\.meta\.url\)/g;
/** The folder of the scripts that tests start. */
const TESTING_FOLDER = "services/executor/src/child-pool/testing";
/** The scripts, and the child that the first of them starts. */
const TESTING_NAMES = ["abandoning-parent", "hostile-child", "unguarded-child"];
const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * In tests, as under `npm start`, the processes and threads that sources start run from the services' bundle: starting them
 * from the sources takes two to seven times the processor time, and tests start hundreds. The same applies to the processes
 * that the tests of the child pools start. Bundles when the first file that needs it is loaded.
 */
export function bundledChildren(): Plugin {
  const services = once(bundledServices);
  const testing = once(async () => bundledTesting(await services()));
  return {
    name: "bundled-children",
    enforce: "pre",
    configureVitest({ defineCacheKeyGenerator }: VitestPluginContext) {
      // The cached code of these files names a bundle, whose content depends on other sources too.
      defineCacheKeyGenerator(({ id, sourceCode }) =>
        namesIn(id).some((names) => sourceCode.search(names) >= 0) ? false : undefined,
      );
    },
    async transform(code, id) {
      const [names] = namesIn(id);
      if (names === undefined || code.search(names) < 0) return undefined;
      const folder = await (names === CHILD ? services() : testing());
      return code.replace(names, (whole, name: string) => {
        const file = path.join(folder, `${name}.js`);
        return existsSync(file) ? `new URL(${JSON.stringify(pathToFileURL(file).href)})` : whole;
      });
    },
  };
}

function namesIn(id: string): RegExp[] {
  if (SOURCE.test(id)) return [CHILD];
  return TEST.test(id) ? [TESTING] : [];
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

/** Inside the services' bundle, whose name also depends on these sources. */
async function bundledTesting(services: string): Promise<string> {
  const folder = path.join(services, "testing");
  if (existsSync(folder)) return folder;
  const draft = await mkdtemp(`${folder}-draft-`);
  const entries = TESTING_NAMES.map((name) => [name, path.join(TESTING_FOLDER, `${name}.ts`)] as const);
  await bundleEntries({ root: ROOT, entries: Object.fromEntries(entries), folder: draft });
  try {
    // Atomically: another run finds either the whole folder or none.
    await rename(draft, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
