import { registerHooks } from "node:module";

/** The second is its name before it became a separate package; supported until 0.2. */
const NAMES = new Set(["@planwright/tools-kit", "@planwright/executor/tools"]);
const KIT = new URL("./tool-kit.ts", import.meta.url);

/**
 * Lets files outside this package import the tools kit by its name, whether or not it is installed there. They get the same
 * modules as this process, so that an error thrown by a tool is an instance of the class that the executor checks for. Applies to
 * this process and cannot be undone.
 */
export function offerToolKit(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      NAMES.has(specifier) ? { url: KIT.href, shortCircuit: true } : next(specifier, context),
  });
}
