import { registerHooks } from "node:module";

const NAME = "@planwright/executor/tools";
const KIT = new URL("./tool-kit.ts", import.meta.url);

/**
 * Lets files outside this package import the tool kit by its name: the very modules that this process runs, so that
 * an error which a tool throws is of the class that the executor looks for. Of this process; there is no way back.
 */
export function offerToolKit(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === NAME ? { url: KIT.href, shortCircuit: true } : next(specifier, context),
  });
}
