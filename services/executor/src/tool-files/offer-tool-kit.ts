import { registerHooks } from "node:module";

/** The second is its name before it was a separate package; it answers until 0.2. */
const NAMES = new Set(["@planwright/tools-kit", "@planwright/executor/tools"]);
const KIT = new URL("./tool-kit.ts", import.meta.url);

/**
 * Lets files outside this package import the tools kit by its name, whether it is installed there or not: the very modules that this process runs, so that
 * an error which a tool throws is of the class that the executor looks for. Of this process; there is no way back.
 */
export function offerToolKit(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      NAMES.has(specifier) ? { url: KIT.href, shortCircuit: true } : next(specifier, context),
  });
}
