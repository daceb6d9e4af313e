import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";
import { bundledServices } from "../packages/testkit/src/system/bundled-services.ts";

/** Sources that run in production; what tests start of their own is not in the bundle. */
const SOURCE = /\/(?:services|packages)\/\w+\/src\/(?!.*(?:\.test\.ts|\/testing\/)).*\.ts$/;
/** How they name the script of a process or a thread of their own. */
const CHILD = /new URL\("\.\/(?:[\w-]+\/)*([\w-]+-(?:child|thread))\.ts", import\.meta\.url\)/g;

/**
 * In tests, as under `npm start`, the processes and threads that sources start run from the bundle of the services: from
 * the sources a start takes two to seven times the processor time, and tests start hundreds. Bundles when the first source is
 * loaded that needs it.
 */
export function bundledChildren(): Plugin {
  let bundled: Promise<string> | undefined;
  return {
    name: "bundled-children",
    enforce: "pre",
    async transform(code, id) {
      if (!SOURCE.test(id) || code.search(CHILD) < 0) return undefined;
      const folder = await (bundled ??= bundledServices());
      return code.replace(CHILD, (whole, name: string) => {
        const file = path.join(folder, `${name}.js`);
        return existsSync(file) ? `new URL(${JSON.stringify(pathToFileURL(file).href)})` : whole;
      });
    },
  };
}
