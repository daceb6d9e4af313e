/**
 * Brython makes JavaScript of Python. In WebAssembly that takes a minute for the library that programs may import, in
 * V8 seconds: so it is done there, once, and the guest loads what came of it. Only the library is ever
 * translated here, never a program.
 */
import vm from "node:vm";
import { z } from "zod";
import { fullLibrary, LOADED_MODULES } from "./library.ts";
import { patched } from "./patches.ts";
import { STAND_INS, withoutConsole } from "./stand-ins.ts";
import { type LibraryModule, readBrython } from "./stdlib.ts";

/** A module as the guest's loader takes it: that of `.py` is not read again: its JavaScript is in `translated`. */
export type LoadableLibrary = {
  readonly modules: Readonly<Record<string, LibraryModule>>;
  readonly translated: Readonly<Record<string, string>>;
};

const Loaded = z.object({
  /** A package's text comes in a list of one. */
  translated: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  imported: z.array(z.string()),
});

/** Changes the globals of the whole process: for one that does nothing else. */
export function translateLibrary(): LoadableLibrary {
  const library = fullLibrary();
  Object.assign(globalThis, {
    module: { exports: {} },
    __BRYTHON__: {},
    __library: { library: Object.fromEntries(library), names: LOADED_MODULES },
  });
  Reflect.deleteProperty(globalThis, "navigator");
  vm.runInThisContext(STAND_INS);
  vm.runInThisContext(withoutConsole(patched(readBrython())), { filename: "brython.js" });
  const said: unknown = vm.runInThisContext(`(({ library, names }) => {
    const brython = globalThis.__BRYTHON__;
    brython.use_VFS = true;
    brython.update_VFS(library);
    for (const name of names) brython.runPythonSource("import " + name, "load_" + name);
    return { translated: brython.precompiled, imported: Object.keys(brython.imported) };
  })(__library)`);
  const { translated, imported } = Loaded.parse(said);
  const modules: Record<string, LibraryModule> = {};
  for (const name of imported) {
    const module = library.get(name);
    if (module !== undefined) modules[name] = module;
  }
  return {
    modules,
    translated: Object.fromEntries(Object.entries(translated).map(([name, text]) => [name, String(text)])),
  };
}
